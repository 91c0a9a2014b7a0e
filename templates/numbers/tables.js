// The words and units that the reader knows. quizgen writes them out of its own tables when it makes a page, so that
// page and terminal know the same; their names are those that quizgen/render/number_reader.py gives them.
import { ratio } from "./ratio.js";

export const known = {};

// Thrown where a response cannot be read for certain.
export class AskAgain extends Error {}
export function askAgain() {
  throw new AskAgain();
}

// A unit is {symbol, factor, dim}: `factor` base units of a dimension, which maps names to powers.
export const unitOf = (row) => (row ? { symbol: row[0], factor: ratio(row[1]), dim: row[2] } : null);
const spelledUnits = (rows, places) => new Map(Object.entries(places).map(([word, place]) => [word, rows[place]]));

export function useTables(made) {
  const rows = made.units.map(unitOf);
  for (const [name, words] of Object.entries(made.sets)) known[name] = new Set(words.split(" "));
  for (const [name, pairs] of Object.entries(made.maps)) known[name] = new Map(Object.entries(pairs));
  for (const [name, places] of Object.entries(made.ofUnits)) known[name] = spelledUnits(rows, places);
  for (const [name, [source, flags]] of Object.entries(made.patterns)) known[name] = new RegExp(source, flags);
  for (const [name, list] of Object.entries(made.lists)) known[name] = list;
  [known.ONE, known.SECOND] = ["1", "s"].map((name) => known.KNOWN_UNITS.get(name));
}

// What a page says of an expected answer (`answer_format_fields`), as the reader uses it. `lexicon`: the bank's words for units.
export function formatOf(made, lexicon) {
  const rows = lexicon.units.map(unitOf);
  const sets = ["terms", "known", "question", "counted", "inputLabels", "singular", "ownSide", "otherSide"];
  const stem = { ...made.stem, periods: made.stem.periods.map(unitOf), ratePeriods: made.stem.ratePeriods.map(unitOf) };
  for (const name of sets) stem[name] = new Set(made.stem[name] ? made.stem[name].split(" ") : []);
  return {
    ...made, stem, unit: unitOf(made.unit), unitInStem: unitOf(made.unitInStem), plurals: lexicon.plurals,
    lexicon: { words: spelledUnits(rows, lexicon.words), phrases: spelledUnits(rows, lexicon.phrases) },
  };
}
