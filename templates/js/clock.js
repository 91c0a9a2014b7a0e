// Time. The wall clock finds a computer that slept; the steady one keeps going if someone sets the
// wall clock back. The later of both counts, and a jump of more than two seconds is told.
function startClock(jumped) {
  const base = { wall: Date.now(), steady: performance.now() };
  return function now() {
    const steady = base.wall + (performance.now() - base.steady);
    const wall = Date.now();
    if (Math.abs(wall - steady) > 2000) {
      base.wall = Math.max(wall, steady);
      base.steady = performance.now();
      jumped((wall - steady) / 1000);
      return base.wall;
    }
    return Math.max(wall, steady);
  };
}

const iso = (ms) => (ms ? new Date(ms).toISOString() : null);
const tenth = (seconds) => Math.round(seconds * 10) / 10;

// "12 minutes", "40 seconds": for people who hear it.
function spoken(seconds) {
  if (seconds >= 90) return Math.round(seconds / 60) + " minutes";
  return Math.max(0, Math.round(seconds)) + " seconds";
}

// "42:10", "1:02:10", and "+0:05" for time over the limit.
function clockText(seconds) {
  const whole = Math.abs(Math.ceil(seconds));
  const two = (n) => String(n).padStart(2, "0");
  const hours = Math.floor(whole / 3600);
  const text = two(Math.floor(whole / 60) % 60) + ":" + two(whole % 60);
  return (seconds < 0 ? "+" : "") + (hours ? hours + ":" + text : text);
}
