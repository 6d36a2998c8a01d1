// How far an axis goes: over all values, but for those of a blow-up.

/** A value this many times as far from the middle as nearly all others is a blow-up. */
const kBlowUp = 50;

/** The least and the largest value of some lines; where a few are far beyond all others, of the others. */
export function usualRange(lines: ArrayLike<number>[]): { low: number; high: number; clipped: boolean } {
  const finite: number[] = [];
  let unusual = false;
  for (const line of lines)
    for (let i = 0; i < line.length; ++i)
      if (Number.isFinite(line[i])) finite.push(line[i]);
      else unusual = true;
  if (!finite.length) return { low: -1, high: 1, clipped: unusual };
  let low = Infinity;
  let high = -Infinity;
  for (const x of finite) {
    low = Math.min(low, x);
    high = Math.max(high, x);
  }
  const every = Math.max(1, Math.floor(finite.length / 4000)); // a sample is enough to know what is usual
  const sample = finite.filter((_, i) => i % every === 0).sort((a, b) => a - b);
  const at = (share: number): number => sample[Math.round(share * (sample.length - 1))];
  const middle = at(0.5);
  const reach = Math.max(at(0.95) - middle, middle - at(0.05));
  if (sample.length < 40 || reach === 0 || Math.max(high - middle, middle - low) <= kBlowUp * reach) return { low, high, clipped: unusual };
  return { low: Math.max(low, middle - 3 * reach), high: Math.min(high, middle + 3 * reach), clipped: true };
}
