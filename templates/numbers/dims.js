// Dimensions, {name: power} without zeros, and which amounts answer which. The names are those of quizgen/formula/units.py.
import { known } from "./tables.js";
import { over, times, same } from "./ratio.js";

export const power = (dim, name) => dim[name] || 0;
export const isBare = (dim) => !Object.keys(dim).length;
export const isRate = (dim) => power(dim, "time") < 0;
export const isPhysical = (name) => known.PHYSICAL.has(name);

export function combined(left, right, sign) {
  const made = { ...left };
  for (const [name, one] of Object.entries(right)) {
    made[name] = (made[name] || 0) + sign * one;
    if (!made[name]) delete made[name];
  }
  return made;
}
export const sameDim = (left, right) => isBare(combined(left, right, -1));
export const sameUnit = (one, other) => one.symbol === other.symbol && same(one.factor, other.factor) && sameDim(one.dim, other.dim);
export const isOne = (unit) => unit.symbol === "1";

// The label of a count of one kind of thing, else an empty text.
export function label(dim) {
  const powers = Object.entries(dim);
  return powers.length === 1 && powers[0][1] === 1 && !isPhysical(powers[0][0]) ? powers[0][0] : "";
}
export const ownMoney = (dim) => Object.keys(dim).find((name) => dim[name] > 0 && known.MONEY_LABELS.has(name)) || "";
export const hasMoney = (unit) => Boolean(power(unit.dim, "currency") || ownMoney(unit.dim));

export const quotient = (unit, below) => ({
  symbol: unit.symbol + "/" + below.symbol, factor: over(unit.factor, below.factor), dim: combined(unit.dim, below.dim, -1),
});
export const product = (unit, other, symbol) => ({ symbol, factor: times(unit.factor, other.factor), dim: combined(unit.dim, other.dim, 1) });

export const twins = (name) => known.TWINS.get(name) || [];

// Whether an amount of the dimension `given` answers an item that asks for `wanted`.
export function fits(given, wanted) {
  const names = [...new Set([...Object.keys(given), ...Object.keys(wanted)])];
  if (names.some((name) => isPhysical(name) && power(given, name) !== power(wanted, name))) return false;
  if ((isBare(given) && label(wanted)) || (isBare(wanted) && label(given))) return true;
  const physical = Object.keys(wanted).some(isPhysical);
  if (Object.keys(wanted).every(isPhysical) && Object.keys(wanted).length === 1 && wanted.time === -1) return true;
  return names.filter((name) => !isPhysical(name)).every((name) => {
    const [has, wants] = [power(given, name), power(wanted, name)];
    return has === wants || (!has && mayBeUnsaid(name, wants, given, physical)) || (!wants && mayBeAdded(name, has, wanted));
  });
}

function mayBeUnsaid(name, wants, given, physical) {
  if (twins(name).some((twin) => given[twin] === wants)) return true;
  if (Object.keys(given).some((other) => !isPhysical(other) && given[other] * wants > 0)) return false;
  return physical && (wants < 0 || !known.PLACE_UNIT_LABELS.has(name));
}
function mayBeAdded(name, has, wanted) {
  if (twins(name).some((twin) => wanted[twin] === has)) return true;
  return has < 0 && !known.NEVER_DROPPED.has(name) && !Object.keys(wanted).some((other) => !isPhysical(other) && wanted[other] < 0);
}
