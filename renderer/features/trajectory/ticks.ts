/** Marks of the time axis: pure. Times are Unix milliseconds. */
import type { TimeZone } from '../../ui/time.ts';
import type { Span } from './layout.ts';

export interface Tick {
	readonly time: number;
	readonly label: string;
}

const [second, minute, hour, day] = [1000, 60_000, 3_600_000, 86_400_000];
const steps = [
	...[0.01, 0.05, 0.1, 0.5, 1, 5, 10, 50, 100, 250, 500],
	...[1, 2, 5, 10, 15, 30].map((each) => each * second),
	...[1, 2, 5, 10, 15, 30].map((each) => each * minute),
	...[1, 2, 3, 6, 12].map((each) => each * hour),
	...[1, 2, 7, 14, 28, 91, 364].map((each) => each * day),
];

/** At most one tick for so many pixels. */
const room = 92;

export function ticksOf(span: Span, width: number, zone: TimeZone): readonly Tick[] {
	const wanted = ((span.to - span.from) / Math.max(1, width)) * room;
	const step = steps.find((each) => each >= wanted) ?? 364 * day;
	const isOfZone = step >= hour;
	const first = Math.ceil((span.from + (isOfZone ? shiftOf(span.from, zone) : 0)) / step);
	const ticks: Tick[] = [];
	for (let at = first; ; at += 1) {
		const time = isOfZone ? unshifted(at * step, zone) : at * step;
		if (time > span.to) return ticks;
		if (time >= span.from) ticks.push({ time, label: labelOf(time, step, zone) });
	}
}

/** Whole hours and days are those of the zone, also beyond a day on which its clocks change. */
function unshifted(wall: number, zone: TimeZone): number {
	return wall - shiftOf(wall - shiftOf(wall, zone), zone);
}

function shiftOf(time: number, zone: TimeZone): number {
	return zone === 'utc' ? 0 : -new Date(time).getTimezoneOffset() * minute;
}

function labelOf(time: number, step: number, zone: TimeZone): string {
	if (step >= day) return dates[zone].format(time);
	if (step >= minute) return isMidnight(time, zone) ? dates[zone].format(time) : minutes[zone].format(time);
	const label = seconds[zone].format(time);
	if (step >= second) return label;
	const within = ((time % second) + second) % second;
	return `${label.slice(-2)}.${(step < 1 ? within.toFixed(2) : String(Math.round(within))).padStart(step < 1 ? 6 : 3, '0')}`;
}

function isMidnight(time: number, zone: TimeZone): boolean {
	return minutes[zone].format(time) === '00:00';
}

const utc = { timeZone: 'UTC' };
const dateStyle: Intl.DateTimeFormatOptions = { day: 'numeric', month: 'short' };
const minuteStyle: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit' };
const secondStyle: Intl.DateTimeFormatOptions = { timeStyle: 'medium' };
const dates = formats(dateStyle);
const minutes = formats(minuteStyle);
const seconds = formats(secondStyle);

function formats(style: Intl.DateTimeFormatOptions): Readonly<Record<TimeZone, Intl.DateTimeFormat>> {
	return {
		local: new Intl.DateTimeFormat('en-GB', style),
		utc: new Intl.DateTimeFormat('en-GB', { ...style, ...utc }),
	};
}
