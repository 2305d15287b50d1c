/** What stands behind the typed line in the newest earlier line that begins with it; '' when there is none. Newest first. */
export function ghostOf(typed: string, earlier: readonly string[]): string {
  if (typed.trim() === '') return '';
  return earlier.find((line) => line.length > typed.length && line.startsWith(typed))?.slice(typed.length) ?? '';
}
