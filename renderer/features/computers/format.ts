const counts = new Intl.NumberFormat('en-GB');

/** A number of things, with a comma between thousands. */
export function formatCount(count: number): string {
  return counts.format(count);
}
