// Exact fractions of whole numbers, [over, under] with under above 0; written as "3/4" or "12".
export function ratio(text) {
  const [over, under] = String(text).split("/");
  return [BigInt(over), BigInt(under || 1)];
}
export const power10 = (n) => (n < 0 ? [1n, 10n ** BigInt(-n)] : [10n ** BigInt(n), 1n]);
export const times = ([a, b], [c, d]) => [a * c, b * d];
export const over = ([a, b], [c, d]) => (c < 0n ? [-a * d, -b * c] : [a * d, b * c]);
export const minus = ([a, b], [c, d]) => [a * d - c * b, b * d];
export const size = ([a, b]) => [a < 0n ? -a : a, b];
export const atMost = ([a, b], [c, d]) => a * d <= c * b;
export const least = (one, other) => (atMost(one, other) ? one : other);
export const same = ([a, b], [c, d]) => a * d === c * b;

// The whole n with 10^n <= the fraction < 10^(n+1); the fraction is above 0.
export function magnitude(one) {
  const n = String(one[0]).length - String(one[1]).length;
  return atMost(power10(n), one) ? n : n - 1;
}
