// Handing in to the quizgen that serves the page; while it does not answer, the page continues by itself.
import { announce, warn } from "./elements.js";
import { lines, nameOf } from "./log.js";

const AT_ONCE = 100; // lines of one request
const [SOON, LATER, AGAIN] = [4000, 8000, 3000]; // milliseconds: for a verdict, for storing, until the next try

export class HandIn {
  constructor(sitting) {
    this.sitting = sitting;
    this.away = false; // whether the last request went unanswered
    this.queue = Promise.resolve();
    if (sitting.head.served) setInterval(() => { if (this.away) this.later(); }, AGAIN);
  }
  get served() {
    return this.sitting.head.served;
  }

  // Hands in the new `events`; returns the verdicts by the name of a line.
  async send(events, patience) {
    const { head, cards, kept, state } = this.sitting;
    const last = events[events.length - 1];
    const rating = state.checked && state.checked.own && last.type !== "next" ? "response " + state.checked.id : "";
    const [first, ...rest] = lines(head, cards, { ...kept, events });
    const open = rest.filter((line) => !kept.sent.includes(nameOf(line)) && nameOf(line) !== rating);
    if (this.away && !open.length) throw new TypeError(); // nothing was tried: still away
    const verdicts = {};
    for (let from = 0; from < open.length; from += AT_ONCE) {
      const part = [first, ...open.slice(from, from + AT_ONCE)]; // a restarted server does not know the sitting
      const reply = await fetch("lines", { method: "POST", body: JSON.stringify(part), signal: AbortSignal.timeout(patience) });
      if (!reply.ok) throw new Error(await reply.text());
      const report = await reply.json();
      kept.sent.push(...report.kept);
      Object.assign(verdicts, report.verdicts);
      if (report.refused.length) throw new Error(report.refused[0]);
    }
    return verdicts;
  }

  later() {
    if (!this.served || !this.sitting.events.length) return;
    const done = () => {
      this.reached(true);
      this.sitting.keep();
    };
    this.queue = this.queue.then(() => this.send(this.sitting.events, LATER)).then(done, (error) => this.reached(false, error));
  }

  // The scorer's verdict on an answer; null if quizgen does not answer.
  async verdictOn(event) {
    try {
      const verdict = (await this.send([...this.sitting.events, event], SOON))["response " + event.id];
      return verdict && { say: "", rounded: false, own: false, id: event.id, ...verdict };
    } catch (error) {
      this.reached(false, error);
      return null;
    }
  }

  reached(yes, error) {
    if (this.away === !yes) return;
    this.away = !yes;
    const why = !error || error instanceof TypeError || error.name === "TimeoutError" ? "" : " (" + error.message.trim() + ")";
    warn("away", yes ? "" : say("quizgen does not answer{0}. Do not reload or close this page: it goes on by itself, and hands in what it kept when quizgen is back.", why));
    if (yes) announce(say("quizgen is back; all is handed in."));
  }
}
