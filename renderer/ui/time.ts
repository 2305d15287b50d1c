/** Ages and times in words. Ages are in milliseconds, times ISO 8601. */

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** `42 s`, `3 min`, `6 h`, `12 d`; a negative age counts as none. */
export function formatAge(ms: number): string {
  const age = Math.max(0, ms);
  if (age < minute) return `${Math.floor(age / second)} s`;
  if (age < hour) return `${Math.floor(age / minute)} min`;
  if (age < day) return `${Math.floor(age / hour)} h`;
  return `${Math.floor(age / day)} d`;
}

/** `31:07`, or `1:02:03` from an hour on. */
export function formatCountdown(ms: number): string {
  const left = Math.max(0, Math.ceil(ms / second));
  const pad = (value: number) => String(value).padStart(2, '0');
  const hours = Math.floor(left / 3600);
  const rest = `${pad(Math.floor((left % 3600) / 60))}:${pad(left % 60)}`;
  return hours > 0 ? `${hours}:${rest}` : rest;
}

export type TimeZone = 'local' | 'utc';

/** `2026-01-31 14:02:11`, with ` UTC` when that is the zone. */
export function formatExact(iso: string, zone: TimeZone): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return iso;
  return `${dates[zone].format(date)} ${formatClock(iso, zone)}`;
}

/** `14:02:11`, with ` UTC` when that is the zone. */
export function formatClock(iso: string, zone: TimeZone): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return iso;
  const clock = clocks[zone].format(date);
  return zone === 'utc' ? `${clock} UTC` : clock;
}

// A formatter takes far longer to make than to use, and a table shows dozens of times.
const utc = { timeZone: 'UTC' };
const clocks: Readonly<Record<TimeZone, Intl.DateTimeFormat>> = {
  local: new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' }),
  utc: new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium', ...utc }),
};
const dates: Readonly<Record<TimeZone, Intl.DateTimeFormat>> = {
  local: new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short' }),
  utc: new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', ...utc }),
};
const counts = new Intl.NumberFormat('en-US');

/** How fresh something is, from 1 (now) to 0 (30 days and older), on a logarithmic scale. */
export function freshness(ageMs: number): number {
  const minutes = Math.max(0, ageMs) / minute;
  const scale = Math.log10(1 + minutes) / Math.log10(1 + 30 * 24 * 60);
  return Math.max(0, Math.min(1, 1 - scale));
}

/** `18,240`. */
export function formatCount(value: number): string {
  return counts.format(value);
}
