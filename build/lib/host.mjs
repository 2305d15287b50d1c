/**
 * Node's flags for the console's process. What a listing brings is garbage once it is written; without them V8 grows the heap by
 * 200 MB before it collects, and keeps that.
 */
export const hostFlags = ['--max-semi-space-size=4', '--heap-growing-percent=50']
