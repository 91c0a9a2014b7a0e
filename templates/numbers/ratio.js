// Exact fractions of whole numbers, [over, under] with under above 0; written as "3/4" or "12".
export function ratio(text) {
  const [over, under] = String(text).split("/");
  return [BigInt(over), BigInt(under || 1)];
}
export const ZERO = [0n, 1n];
export const UNITY = [1n, 1n];
export const power10 = (n) => (n < 0 ? [1n, 10n ** BigInt(-n)] : [10n ** BigInt(n), 1n]);
export const times = ([a, b], [c, d]) => [a * c, b * d];
export const over = ([a, b], [c, d]) => (c < 0n ? [-a * d, -b * c] : [a * d, b * c]);
export const plus = ([a, b], [c, d]) => [a * d + c * b, b * d];
export const minus = ([a, b], [c, d]) => [a * d - c * b, b * d];
export const negative = ([a, b]) => [-a, b];
export const size = ([a, b]) => [a < 0n ? -a : a, b];
export const atMost = ([a, b], [c, d]) => a * d <= c * b;
export const less = ([a, b], [c, d]) => a * d < c * b;
export const least = (one, other) => (atMost(one, other) ? one : other);
export const most = (one, other) => (atMost(one, other) ? other : one);
export const same = ([a, b], [c, d]) => a * d === c * b;
export const isWhole = ([a, b]) => a % b === 0n;

export function reduced([a, b]) {
  let [common, rest] = [a < 0n ? -a : a, b];
  while (rest) [common, rest] = [rest, common % rest];
  return common > 1n ? [a / common, b / common] : [a, b];
}

// The nearest floating point number, and the fraction that one is exactly.
export function floating([a, b]) {
  const head = (whole) => { // without the digits beyond the 250 that fit into such a number, and their bits
    const extra = Math.max(0, whole.toString(16).length - 250);
    return [Number(whole >> BigInt(4 * extra)), 4 * extra];
  };
  const [[above, bits], [below, bitsBelow]] = [head(a), head(b)];
  return (above / below) * 2 ** (bits - bitsBelow);
}
export function exactly(number) {
  let under = 1n;
  while (!Number.isInteger(number)) {
    number *= 2;
    under *= 2n;
  }
  return [BigInt(number), under];
}

// The whole n with 10^n <= the fraction < 10^(n+1); the fraction is above 0.
export function magnitude(one) {
  const n = String(one[0]).length - String(one[1]).length;
  return atMost(power10(n), one) ? n : n - 1;
}
