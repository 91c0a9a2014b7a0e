// A sitting as the browser stores it: its events, those that were handed in, and the resulting state.
import { announce, find, hex, warn } from "./elements.js";
import { replay, undone } from "./sitting.js";
import { asText, fileName, lines } from "./log.js";

const isEvent = (event, cards) => event && typeof event.type === "string" && (event.card === undefined || event.card in cards);
const isKept = (old, cards) => old && old.v === 1 && typeof old.session === "string" && Array.isArray(old.events) && Array.isArray(old.sent)
  && Number.isFinite(old.revision) && old.events.every((event) => isEvent(event, cards));

export class KeptSitting {
  constructor(head, cards) {
    [this.head, this.cards] = [head, cards];
    this.store = openStore("quizgen/practice/" + head.page);
    this.begin(0);
  }
  begin(revision) {
    this.kept = { v: 1, revision, session: hex(8), candidate: this.head.candidate, started: iso(Date.now()), ended: null, sent: [], events: [] };
    this.state = replay(this.cards, []);
  }
  get events() {
    return this.kept.events;
  }

  keep() {
    this.kept.revision += 1;
    this.store.save(this.kept, (safe) => {
      find("kept").textContent = safe ? "" : say("not kept");
      warn("kept", safe ? "" : say("This browser does not keep what you do here. Save your answers before you leave the page."));
    });
  }
  happen(event) {
    this.kept.events.push({ at: iso(Date.now()), ...event });
    this.state = replay(this.cards, this.events);
    if (this.state.ended && !this.kept.ended) this.kept.ended = iso(Date.now());
    this.keep();
  }
  undo() {
    this.kept.events = undone(this.events);
    this.kept.ended = null;
    this.state = replay(this.cards, this.events);
    this.keep();
  }
  reset() {
    this.begin(this.kept.revision);
    this.keep();
  }

  // Continues from the data that an earlier page stored.
  async load() {
    const old = await this.store.load();
    if (isKept(old, this.cards)) {
      this.adopt(old);
      if (this.events.length) announce(say("Taken up where you left it."));
    } else if (old) warn("kept", say("What was kept here cannot be read, so practice begins anew."));
  }
  // Continues from the data that another window of this page has stored since. Returns whether there is any.
  async follow() {
    const other = this.store.pending() ? null : await this.store.load();
    if (!isKept(other, this.cards) || other.revision <= this.kept.revision) return false;
    this.adopt(other);
    return true;
  }
  adopt(kept) {
    this.kept = kept;
    this.state = replay(this.cards, this.events);
  }

  get fileName() {
    return fileName(this.kept);
  }
  save() {
    const file = new File([asText(lines(this.head, this.cards, this.kept))], this.fileName, { type: "application/x-ndjson" });
    const phone = matchMedia("(pointer: coarse)").matches;
    if (phone && navigator.canShare && navigator.canShare({ files: [file] })) {
      navigator.share({ files: [file] }).catch(() => download(file));
    } else download(file);
  }
}

function download(file) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = file.name;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
  announce(say("Saved as {0}. At your desk: {1}", file.name, "quizgen progress --add " + file.name));
}
