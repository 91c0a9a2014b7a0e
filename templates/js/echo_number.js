// How a number reads where no item is known: the exam form, which says so of what is typed.
const RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹⁻";
const BEFORE = /^(?:(?:the )?answer(?: is|:)?|(?:by )?(?:a )?factor(?: of)?|[x×](?= ?\d)|about|around|roughly|approximately|approx\.?|circa|ca\.?|~|≈|=|≅|is|it is|it's) */i;
const NUMBER = /^(-?)(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,3}(?:[ '’]\d{3})+(?:\.\d+)?|\d+(?:[.,]\d+)?|\.\d+)(?:[eE]([+-]?\d{1,3})|(?: ?[x×*·] ?10(?:\^|\*\*)\(?([+-]?\d{1,3})\)?))?(?![\d.,]) ?(.*)$/;
const NAME = /^[A-Za-z][A-Za-z_ ]{0,20}= ?(?=[-.\d])/; // lr = 0.4
const WORDS = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty".split(" ");

// The text with one sort of space, minus and exponent, and without the words before and the full stop behind.
function tidy(text) {
  let plain = text.replace(/[\s\u00a0\u2007\u2009\u202f]+/g, " ").replace(/[−–‐]/g, "-").trim();
  plain = plain.replace(/(10) ?([⁰¹²³⁴⁵⁶⁷⁸⁹⁻]+)/g, (_, ten, raised) => ten + "^" + [...raised].map((c) => "0123456789-"[RAISED.indexOf(c)]).join(""));
  for (let before = ""; before !== plain;) {
    before = plain;
    plain = plain.replace(BEFORE, "");
  }
  const word = /^[a-z]+(?= |$)/i.exec(plain);
  if (word && WORDS.includes(word[0].toLowerCase())) plain = WORDS.indexOf(word[0].toLowerCase()) + plain.slice(word[0].length);
  return plain.replace(NAME, "").replace(/[.;]$/, "").replace(/^\$ ?([\d.]+(?:,\d{3})*(?:\.\d+)?) ?(.*)$/, "$1 $2$$").replace(/^- (?=\d)/, "-").trim();
}

// The number without marks between its digits, and with a decimal point.
function digits(text, raised) {
  const grouped = text.replace(/[ '’]/g, "");
  const exponent = raised && /^\d+,\d+$/.test(grouped); // 8,609e16
  return !exponent && /^[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?$/.test(grouped) ? grouped.replace(/,/g, "") : grouped.replace(",", ".").replace(/^\./, "0.");
}

// What was typed, cut into the sign, the digits, the power of ten and what stands behind; null where that is not a number.
function cut(plain) {
  const parts = plain && plain.length <= 60 ? NUMBER.exec(plain) : null;
  if (!parts) return null;
  const [, sign, numeral, e, x, unit] = parts;
  return { sign, numeral, raised: Boolean(e || x), power: Number(e || x || 0), unit };
}

// How a number reads where no item is known, only spellings of units in lower case: `shown` is "12.5 GB"; `known` is
// false where its unit is none of them; null where it is not a number.
export function echoOf(text, spellings) {
  const parts = cut(tidy(text));
  if (!parts) return null;
  const number = parts.sign + digits(parts.numeral, parts.raised) + (parts.power ? "e" + parts.power : "");
  const known = !parts.unit || spellings.includes(parts.unit.toLowerCase());
  return { number, unit: parts.unit, known, shown: number + (parts.unit && parts.unit !== "%" ? " " : "") + parts.unit };
}

