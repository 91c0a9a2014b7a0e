// Responses in steps, `sharded = 5.7 GB; total = 31.7 GB`: quizgen/kinds/numeric/step_credit.py.
import { read } from "../numbers/read.js";

const MAX_PARTS = 30;
const NAME_START = "(?:(?!\\d)[\\p{L}\\p{N}_])";
const SPLIT = new RegExp(`[;\\n]|,(?=\\s+${NAME_START}[^\\d;,\\n]{0,40}[=:≈\\d])`, "gu");
const NAME = new RegExp(`^\\s*(?:[-*•]\\s+)?(?!x ?\\d)(${NAME_START}[^=:≈\\d]{0,60})([=:≈]|(?=\\d))`, "u");
const LAST = ["total", "answer", "result", "sum", "final", "overall", "altogether"];
const ALTERNATIVES = ["or", "to", "maybe", "perhaps", "possibly", "otherwise", "else", "alternatively"]; // 6.5 Mb/s, or 13
const MAY_HOLD_STEPS = new RegExp(`[=:;\\n]|,\\s+${NAME_START}`, "u");
const letters = (name) => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
const wordsOfName = (name) => name.toLowerCase().split(/[^\p{L}\p{N}]+/u).filter(Boolean);

// The parts of a response that contain a digit, in order, as {name, text, equals}.
function partsOf(text) {
  return text.split(SPLIT).filter((piece) => /\p{N}/u.test(piece)).map((piece) => {
    const named = NAME.exec(piece);
    return { name: named ? named[1].trim() : "", text: named ? piece.slice(named[0].length) : piece, equals: piece.includes("=") || Boolean(named && named[2]) };
  });
}

// The parts of a response of which all but the last lead to the last; empty if it gives only an answer.
function stepsOf(text) {
  const parts = partsOf(text);
  if (parts.length < 2 || parts.length > MAX_PARTS) return [];
  const last = parts[parts.length - 1];
  const words = wordsOfName(last.name);
  if (words.some((word) => ALTERNATIVES.includes(word))) return [];
  if (last.name && last.name.length <= 2 && last.equals && !last.text.includes("=")) return [];
  const closed = words.some((word) => LAST.includes(word)) || /^\s*[x*/×]/.test(last.text);
  return parts.slice(0, -1).every((part) => part.equals || (closed && part.name)) ? parts : [];
}

// Whether a part has the name of a step before the last.
function namesStep(name, steps) {
  const [plain, words] = [letters(name), wordsOfName(name)];
  let at = steps.findIndex((step) => letters(step) === plain);
  if (at < 0 && words.some((word) => LAST.includes(word))) return false;
  if (at < 0) at = steps.findIndex((step) => wordsOfName(step).every((word) => words.includes(word)));
  return at >= 0 && at < steps.length - 1;
}

// The readings of a response, as a whole or of the last of its parts; null: ask again. Only the scorer knows the credit
// for a step that a part names.
export function readResponse(text, expected, question) {
  const parts = expected.stepped ? stepsOf(text) : [];
  const last = parts[parts.length - 1];
  if (last && MAY_HOLD_STEPS.test(text) && !expected.inputs.includes(last.name)) {
    const answer = read(last.text, expected, question);
    if (answer) return parts.slice(0, -1).some((part) => namesStep(part.name, expected.steps)) ? null : answer;
  }
  return read(text, expected, question) || (last ? read(last.text, expected, question) : null);
}
