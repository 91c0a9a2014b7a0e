// The lines of an answer log that a sitting saves, one object a line.
export function lines(head, cards, kept) {
  const base = { v: 1, session: kept.session };
  const log = [{
    ...base, type: "session", candidate: kept.candidate, bank: head.bank, digest: head.digest, seed: head.seed, mode: "practice",
    items: cards.map((card) => card.item), started: kept.started, untimed: true, rules: head.rules, page: head.page,
  }];
  const met = new Set();
  const flagged = new Map();
  kept.events.forEach((event, place) => {
    if (event.type === "flag") flagged.set(event.card, !flagged.get(event.card));
    if (event.type === "answer") {
      log.push(response(base, cards, kept, place, flagged.get(event.card) || false, met.has(event.card)));
      met.add(event.card);
    }
    if (event.type === "mark") {
      const line = { ...base, type: "card", item: cards[event.card].item, mark: event.mark, at: event.at, id: event.id };
      log.push(event.note ? { ...line, note: event.note } : line);
    }
  });
  if (kept.ended) log.push({ ...base, type: "end", at: kept.ended, reason: "finished" });
  return log;
}

export function response(base, cards, kept, place, flagged, again) {
  const event = kept.events[place];
  const card = cards[event.card];
  const drawing = card.drawings[event.drawing % card.drawings.length];
  const line = { ...base, type: "response", candidate: kept.candidate, item: card.item, seed: drawing.seed };
  if (Object.keys(drawing.given).length) line.given = drawing.given;
  Object.assign(line, { response: event.response, seconds: event.seconds, at: event.at, late: false, hints: event.hints, flagged, id: event.id });
  const self = kept.events.slice(place + 1).reduceRight((rated, one) => rated || (one.type === "self" && one.id === event.id ? one : null), null);
  if (self) line.self = self.self;
  if (again) line.again = true;
  return line;
}

// The fields that identify a line, here and where it is stored.
export const nameOf = (line) => line.type + " " + (line.type === "session" || line.type === "end" ? line.session : line.id);

export const asText = (log) => log.map((line) => JSON.stringify(line) + "\n").join("");

// practice-2026-11-28-1430-ab12cd.jsonl
export const fileName = (kept) => "practice-" + kept.started.slice(0, 16).replace("T", "-").replace(":", "") + "-" + kept.session.slice(0, 6) + ".jsonl";
