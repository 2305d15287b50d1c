/** Files of a small chart: its values as they were measured, and its picture with title and times. */
import { csvOf } from '#shared/commands/table.ts';
import type { TextFile } from '#shared/model/text-file.ts';

import { axisTop, barsOf, lineOf } from './chart-shapes.ts';
import type { ChartTheme } from './chart/theme.ts';
import { formatExact, type TimeZone } from './time.ts';

export interface ChartSeries {
	readonly name: string;
	/** One value per step, oldest first; `null` where there is none. */
	readonly values: readonly (number | null)[];
	readonly form: 'bars' | 'line';
	readonly tone: 'accent' | 'bad' | 'dim';
	/** How steps become one row of the table: counts are added, times take the worst. */
	readonly fold: 'sum' | 'max';
}

export interface ChartProps {
	readonly title: string;
	/** What the picture says, in a sentence: its accessible name. */
	readonly summary: string;
	readonly series: readonly ChartSeries[];
	/** Beginning of the names of saved files, such as `requests`. */
	readonly fileName: string;
	/** ISO 8601 of the first step, and the length of one in seconds. */
	readonly from: string;
	readonly stepS: number;
	readonly format: (value: number) => string;
	/** Shown in place of the picture while there is nothing to draw. */
	readonly empty: string;
}

/** One row a step, oldest first; the time is in UTC, and a step without a value has an empty cell. */
export function chartTable({ fileName, series, from, stepS }: ChartProps): TextFile {
	const start = Date.parse(from);
	const rows = Array.from({ length: stepsOf(series) }, (_, step) => [
		new Date(start + step * stepS * 1000).toISOString(),
		...series.map(({ values }) => String(values[step] ?? '')),
	]);
	const text = csvOf({ columns: ['from', ...series.map(({ name }) => name)], rows });
	return { name: `${fileName}.csv`, mediaType: 'text/csv', text };
}

export function stepsOf(series: readonly ChartSeries[]): number {
	return Math.max(1, ...series.map(({ values }) => values.length));
}

/** The end of the scale of all series together. */
export function topOf(series: readonly ChartSeries[]): number {
	return axisTop(Math.max(0, ...series.flatMap(({ values }) => values.map((value) => value ?? 0))));
}

const [width, height] = [900, 320];
const plot = { left: 64, top: 84, width: width - 84, height: height - 124 } as const;

/** A PNG, twice as fine as its 900 by 320 pixels. Rejects where there is no canvas. */
export async function chartPicture(props: ChartProps, theme: ChartTheme, zone: TimeZone): Promise<Blob> {
	const canvas = new OffscreenCanvas(width * 2, height * 2);
	const pen = canvas.getContext('2d');
	if (pen === null) throw new Error('no canvas');
	pen.scale(2, 2);
	pen.fillStyle = theme.panel;
	pen.fillRect(0, 0, width, height);
	pen.textBaseline = 'middle';
	writeHead(pen, props, theme);
	writeAxes(pen, props, theme, zone);
	for (const each of props.series) drawSeries(pen, each, props.series, theme);
	return canvas.convertToBlob({ type: 'image/png' });
}

type Pen = OffscreenCanvasRenderingContext2D;

function writeHead(pen: Pen, { title, summary, series }: ChartProps, theme: ChartTheme): void {
	pen.fillStyle = theme.ink;
	pen.font = `600 15px ${theme.font}`;
	pen.fillText(title, 12, 20);
	pen.fillStyle = theme.ink2;
	pen.font = `12px ${theme.font}`;
	pen.fillText(summary, 12, 42);
	let x = 12;
	for (const { name, tone } of series) {
		pen.fillStyle = theme.tones[tone];
		pen.fillRect(x, 59, 9, 9);
		pen.fillStyle = theme.ink2;
		pen.fillText(name, x + 14, 64);
		x += pen.measureText(name).width + 34;
	}
}

function writeAxes(pen: Pen, { series, from, stepS, format }: ChartProps, theme: ChartTheme, zone: TimeZone): void {
	const bottom = plot.top + plot.height;
	const end = new Date(Date.parse(from) + stepsOf(series) * stepS * 1000).toISOString();
	pen.fillStyle = theme.line;
	pen.fillRect(plot.left, plot.top, plot.width, 1);
	pen.fillStyle = theme.ink3;
	pen.fillRect(plot.left, bottom, plot.width, 1);
	pen.fillText(formatExact(from, zone), plot.left, bottom + 18);
	pen.textAlign = 'right';
	pen.fillText(formatExact(end, zone), plot.left + plot.width, bottom + 18);
	pen.fillText(format(topOf(series)), plot.left - 8, plot.top);
	pen.fillText(format(0), plot.left - 8, bottom);
	pen.textAlign = 'left';
}

function drawSeries(
	pen: Pen,
	{ values, form, tone }: ChartSeries,
	all: readonly ChartSeries[],
	theme: ChartTheme,
): void {
	const path = new Path2D();
	const d = form === 'bars' ? barsOf(values, topOf(all)) : lineOf(values, topOf(all));
	const scale = [plot.width / stepsOf(all), 0, 0, plot.height / 100];
	path.addPath(new Path2D(d), new DOMMatrix([...scale, plot.left, plot.top]));
	pen.fillStyle = theme.tones[tone];
	pen.strokeStyle = theme.tones[tone];
	pen.lineWidth = 1.5;
	pen[form === 'bars' ? 'fill' : 'stroke'](path);
}
