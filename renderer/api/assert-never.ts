/** For the end of a switch over a closed union: a value that gets here is one this page is too old to know. */
export function assertNever(_value: never): void {
  // A newer host may send kinds that this page does not know: they say only that something changed.
}
