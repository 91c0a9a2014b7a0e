// The practice page. Its state is a list of events (sitting.js); every view is drawn from it.
import { announce, element, find, hex, isEmpty, pieceOf } from "./elements.js";
import { fields, given, PageJudge, write } from "./answer.js";
import { HandIn } from "./hand_in.js";
import { KeptSitting } from "./kept.js";
import { showEnd } from "./end_view.js";
import { showRating, showSolution, showVerdict } from "./verdict_view.js";

class PracticePage {
  constructor(data) {
    this.cards = data.cards;
    this.sitting = new KeptSitting(data.head, data.cards);
    this.handIn = new HandIn(this.sitting);
    this.judge = new PageJudge(data);
    this.since = 0; // performance.now() since which time on the item counts; 0: it does not count
    this.spent = 0; // seconds on the item before that
    this.shown = ""; // card and drawing on the screen
    this.checking = false;
  }
  get state() {
    return this.sitting.state;
  }
  get current() {
    return this.state.checked ? this.state.checked.card : this.state.queue[0];
  }
  placeOf(index) {
    return this.state.checked ? this.state.checked.drawing : this.state.cards[index].drawing % this.cards[index].drawings.length;
  }

  // -- answering

  seconds() {
    const now = performance.now();
    if (this.since) this.spent += (now - this.since) / 1000;
    this.since = document.hidden ? 0 : now;
    return tenth(this.spent);
  }
  answerEvent(index, response) {
    const { hints } = this.state.cards[index];
    return { type: "answer", at: iso(Date.now()), card: index, drawing: this.placeOf(index), response, seconds: this.seconds(), hints, id: hex(6) };
  }
  async check() {
    if (this.state.checked || this.checking) return;
    const index = this.current;
    const [card, drawing] = [this.cards[index], this.cards[index].drawings[this.placeOf(index)]];
    const response = given(card, drawing);
    if (isEmpty(response)) {
      find("echo").textContent = say("Give an answer first, or press 'Show me'.");
      return;
    }
    const event = this.answerEvent(index, response);
    const verdict = (await this.served(event)) || this.judge.verdict(card, drawing, response);
    if (!verdict || verdict.again) {
      find("echo").textContent = verdict ? verdict.again : say("This cannot be read for certain. Write it like {0}.", card.reader.example);
      fields()[0].focus();
    } else this.answer(event, verdict);
  }
  async served(event) {
    if (!this.handIn.served || this.handIn.away) return null;
    this.checking = find("check").disabled = true;
    const verdict = await this.handIn.verdictOn(event);
    this.checking = find("check").disabled = false;
    return verdict;
  }
  answer(event, { id, share, say: words, rounded, readAs, own, html }) {
    this.sitting.happen({ ...event, id: id || event.id, share, say: words, rounded, readAs, own, html: html || "" });
    this.show();
    find("verdict").focus({ preventScroll: false });
  }
  unknown() {
    if (this.state.checked) return;
    this.answer(this.answerEvent(this.current, ""), { share: 0, say: "", rounded: false, readAs: "", own: false });
    this.handIn.later();
  }

  // -- going on

  renew(act) {
    announce(""); // what was announced belongs to the view before
    act();
    this.shown = "";
    this.show(true);
  }
  leave(...events) {
    events.forEach((event) => this.sitting.happen(event));
    this.handIn.later();
    this.renew(() => {});
  }
  finish() {
    this.leave(...(this.state.checked ? [{ type: "next" }] : []), { type: "finish" });
  }
  mark(name, note) {
    this.leave({ type: "mark", card: this.current, mark: name, note, id: hex(6) });
    announce(say("Noted."));
  }
  reset() {
    if (this.sitting.events.length && !confirm(say("Begin anew? Save your answers before, if you want to keep them."))) return;
    this.renew(() => this.sitting.reset());
  }

  async follow() {
    if (!document.hidden && !this.checking && await this.sitting.follow()) this.renew(() => announce(say("Taken up where you left it.")));
  }

  // -- showing

  show(focus) {
    const { state } = this;
    document.documentElement.dataset.view = state.ended ? "over" : "item";
    find("card").hidden = find("finish").hidden = state.ended;
    find("end").hidden = !state.ended;
    const done = state.cards.filter((card) => card.tries.length).length;
    find("where").textContent = state.ended ? "" : say("{0} of {1} met, {2} to go", done, this.cards.length, state.queue.length);
    if (state.ended) showEnd(this.sitting);
    else this.showItem(this.current);
    if (!focus) return;
    if (!state.ended) window.scrollTo(0, 0);
    find(state.ended ? "end-title" : "card-title").focus({ preventScroll: !state.ended });
  }
  showItem(index) {
    const [card, { checked }, { tries, hints, flagged }] = [this.cards[index], this.state, this.state.cards[index]];
    this.showStem(index, tries.length);
    find("echo").textContent = "";
    find("card-title").textContent = tries.length ? say("Item {0}, once more", index + 1) : say("Item {0}", index + 1);
    find("facts").textContent = [card.topic, say("about {0} s", card.seconds)].filter(Boolean).join(" · ");
    find("about").textContent = say("Item {0} of the bank {1}.", card.item, this.sitting.head.bank);
    find("hints").hidden = !hints;
    find("hints").replaceChildren(...card.hints.slice(0, hints).map((text) => element("li", text)));
    find("hint").hidden = Boolean(checked) || hints >= card.hints.length;
    find("hint").textContent = hints ? say("Next hint") : say("Hint");
    find("another").hidden = Boolean(checked) || card.drawings.length < 2 || !Object.keys(card.drawings[0].given).length;
    find("check").hidden = find("unknown").hidden = Boolean(checked);
    find("next").hidden = !checked;
    find("flag").setAttribute("aria-pressed", String(flagged));
    find("undo").disabled = !this.sitting.events.some((event) => event.type === "answer");
    fields().forEach((field) => { field.disabled = Boolean(checked); });
    if (checked) this.showChecked(card, index, checked);
    else for (const part of ["verdict", "solution", "rating"]) find(part).hidden = true;
  }
  showStem(index, again) {
    const name = index + "-" + this.placeOf(index);
    if (this.shown === name + "-" + again) return;
    this.shown = name + "-" + again;
    this.spent = 0;
    this.since = document.hidden ? 0 : performance.now();
    find("stem").replaceChildren(pieceOf("p" + name));
    fields().forEach((field) => field.addEventListener("input", () => this.echo(index)));
  }
  echo(index) {
    if (this.state.checked) return;
    const card = this.cards[index];
    find("echo").textContent = this.judge.echo(card, card.drawings[this.placeOf(index)], fields()[0].value);
  }
  showChecked(card, index, answer) {
    write(card, card.drawings[answer.drawing], answer.response);
    showVerdict(card, answer);
    showSolution(card, index, answer);
    showRating(card, answer, this.handIn.served, (self, share) => this.sitting.happen({ type: "self", card: index, id: answer.id, self, share }));
  }

  // -- hands

  listen() {
    const at = (id, act) => find(id).addEventListener("click", () => this.checking || act()); // not while an answer is out
    const here = (type) => ({ type, card: this.current });
    const submitted = (id, act) => find(id).addEventListener("submit", (event) => {
      event.preventDefault();
      if (!this.checking) act();
    });
    submitted("answer", () => this.check());
    submitted("bad", () => {
      this.mark("bad", find("bad-why").value.trim());
      find("bad-why").value = "";
    });
    at("next", () => this.leave({ type: "next" }));
    at("unknown", () => this.unknown());
    at("finish", () => this.finish());
    at("hint", () => { this.sitting.happen(here("hint")); this.show(); });
    at("flag", () => { this.sitting.happen(here("flag")); this.show(); });
    at("another", () => this.renew(() => this.sitting.happen(here("another"))));
    at("easy", () => this.mark("easy"));
    at("never", () => this.mark("never"));
    for (const id of ["undo", "end-undo"]) at(id, () => this.renew(() => this.sitting.undo()));
    for (const id of ["reset", "end-reset"]) at(id, () => this.reset());
    at("print", () => print());
    addEventListener("beforeprint", () => document.querySelectorAll("#missed-list details").forEach((one) => { one.open = true; }));
    document.querySelectorAll(".save").forEach((button) => button.addEventListener("click", () => this.sitting.save()));
    document.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && !this.state.ended) find(this.state.checked ? "next" : "check").click();
    });
    document.addEventListener("visibilitychange", () => this.seconds());
    document.addEventListener("visibilitychange", () => this.follow());
    addEventListener("focus", () => this.follow());
  }
}

async function practise() {
  const page = new PracticePage(JSON.parse(find("data").textContent));
  page.listen();
  if (page.sitting.head.app && "serviceWorker" in navigator && window.isSecureContext) navigator.serviceWorker.register("worker.js");
  await page.sitting.load();
  page.show();
  document.documentElement.dataset.ready = "true";
  // The first number takes longest to judge, so one is judged before anybody types.
  const first = page.cards.find((card) => card.kind === "numeric");
  if (first) setTimeout(() => page.judge.verdict(first, first.drawings[0], "about 12.5 GB"), 500);
}

practise();
