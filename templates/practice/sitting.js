// A sitting as a list of events: every state follows from the events alone, so a reload, an undo and a saved log
// agree. Events: answer, self, next, another, hint, flag, mark, finish.
const OTHERS = 5; // items between a miss and its return

export function begin(cards) {
  return {
    queue: cards.map((_, index) => index), checked: null, ended: cards.length === 0,
    cards: cards.map(() => ({ tries: [], seconds: 0, drawing: 0, hints: 0, flagged: false, mark: "none", note: "" })),
  };
}

// An answer after which an item does not return: all points, or half if it was self-rated or a scored text.
export const isRight = (answer, kind) => answer.share >= (kind === "text" ? 0.5 : 0.9999);

export function after(state, event, cards) {
  const now = { ...state, queue: state.queue.slice(), cards: state.cards.slice() };
  const index = event.card;
  const card = index === undefined ? null : (now.cards[index] = { ...now.cards[index] });
  switch (event.type) {
    case "answer":
      now.checked = { ...event };
      card.seconds += event.seconds;
      break;
    case "self":
      now.checked = { ...now.checked, self: event.self, share: event.share };
      break;
    case "next":
      leave(now, cards);
      break;
    case "finish":
      now.queue = [];
      break;
    case "another":
      card.drawing += 1;
      card.hints = 0;
      break;
    case "hint":
      card.hints += 1;
      break;
    case "flag":
      card.flagged = !card.flagged;
      break;
    case "mark":
      card.mark = event.mark;
      card.note = event.note || "";
      if (event.mark === "never" || event.mark === "bad" || event.mark === "easy") {
        if (now.checked && now.checked.card === index) leave(now, cards);
        now.queue = now.queue.filter((one) => one !== index);
      }
      break;
  }
  now.ended = !now.queue.length && !now.checked;
  return now;
}

// Continues after the checked item; a missed item returns behind five others.
function leave(now, cards) {
  const answer = now.checked;
  if (!answer) return;
  const index = answer.card;
  const card = (now.cards[index] = { ...now.cards[index] });
  card.tries = [...card.tries, answer];
  card.drawing += 1;
  card.hints = 0;
  now.queue = now.queue.filter((one) => one !== index);
  if (!isRight(answer, cards[index].kind)) now.queue.splice(Math.min(OTHERS, now.queue.length), 0, index);
  now.checked = null;
}

export const replay = (cards, events) => events.reduce((state, event) => after(state, event, cards), begin(cards));

// The events before the last answer.
export function undone(events) {
  const last = events.map((event) => event.type).lastIndexOf("answer");
  return last < 0 ? events : events.slice(0, last);
}

// Rows of the end page, grouped by a property of each card (topic, kind): items, right at once, right in the end.
export function rows(cards, state, name) {
  const made = new Map();
  state.cards.forEach((card, index) => {
    if (!card.tries.length) return;
    const label = name(cards[index]);
    const row = made.get(label) || { label, items: 0, first: 0, last: 0, seconds: 0 };
    row.items += 1;
    row.first += isRight(card.tries[0], cards[index].kind);
    row.last += isRight(card.tries[card.tries.length - 1], cards[index].kind);
    row.seconds += card.seconds;
    made.set(label, row);
  });
  return [...made.values()];
}

export const missed = (cards, state) => state.cards.flatMap((card, index) => (card.tries.length && !isRight(card.tries[0], cards[index].kind) ? [index] : []));
