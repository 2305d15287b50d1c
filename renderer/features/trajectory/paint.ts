/** One frame of the drawing: only lanes and events in view are touched. Lengths are CSS pixels. */
import type { ChartTheme } from '../../ui/chart/theme.ts';
import { beadsOf, countText, countWidth, type Bead } from './layout.ts';
import { badness, dispositionLooks } from './looks.ts';
import { drawFrame, drawMark, type Pen } from './marks.ts';
import { paintLabels } from './paint-labels.ts';
import { paintLines, paintShared } from './paint-links.ts';
import { axisHeight, middleOf, rowHeight, xOf, type Frame, type Painting } from './painting.ts';
import { ticksOf } from './ticks.ts';

export function paint(pen: Pen, frame: Frame): void {
	const plot = Math.max(1, frame.width - frame.labelWidth);
	const painting = { ...frame, pen, plot, beads: beadsInView(frame, plot) };
	pen.clearRect(0, 0, frame.width, frame.height);
	pen.font = `11px ${frame.theme.font}`;
	pen.textBaseline = 'middle';
	paintRows(painting);
	paintAxis(painting);
	pen.save();
	pen.beginPath();
	pen.rect(frame.labelWidth, axisHeight, plot, frame.height - axisHeight);
	pen.clip();
	paintLines(painting);
	paintShared(painting);
	for (const [row, beads] of painting.beads) paintBeads(painting, row, beads);
	paintSelected(painting);
	paintMarked(painting);
	pen.restore();
	paintLabels(painting);
}

/** Which rows are in view: `to` is exclusive. */
export function rowsInView({ layout, top, height }: Pick<Frame, 'layout' | 'top' | 'height'>): {
	readonly from: number;
	readonly to: number;
} {
	const from = Math.max(0, Math.floor(top / rowHeight));
	return { from, to: Math.min(layout.lanes.length, Math.ceil((top + height - axisHeight) / rowHeight)) };
}

function beadsInView(frame: Frame, plot: number): ReadonlyMap<number, readonly Bead[]> {
	const { from, to } = rowsInView(frame);
	const found = new Map<number, readonly Bead[]>();
	frame.layout.lanes.slice(from, to).forEach((lane, at) => found.set(from + at, beadsOf(lane, frame.span, plot)));
	return found;
}

function paintRows(painting: Painting): void {
	const { pen, theme, layout, selected, labelWidth, width, beads } = painting;
	const chosen = selected === null ? undefined : layout.places.get(selected)?.row;
	for (const row of beads.keys()) {
		const y = middleOf(painting, row);
		if (row === chosen) {
			pen.fillStyle = theme.sunken;
			pen.fillRect(0, y - rowHeight / 2, width, rowHeight);
		}
		if (layout.lanes[row]?.header !== undefined) {
			pen.fillStyle = theme.sunken;
			pen.fillRect(0, y - rowHeight / 2, width, rowHeight);
			continue;
		}
		pen.fillStyle = theme.line;
		pen.fillRect(labelWidth, Math.round(y), width - labelWidth, 1);
	}
}

function paintAxis(painting: Painting): void {
	const { pen, theme, span, plot, zone, labelWidth, width, height } = painting;
	pen.fillStyle = theme.panel;
	pen.fillRect(0, 0, width, axisHeight);
	pen.textAlign = 'center';
	for (const { time, label } of ticksOf(span, plot, zone)) {
		const x = Math.round(xOf(painting, time));
		pen.fillStyle = theme.line;
		pen.globalAlpha = 0.6;
		pen.fillRect(x, axisHeight, 1, height);
		pen.globalAlpha = 1;
		if (x < labelWidth + 20 || x > width - 20) continue;
		pen.fillStyle = theme.ink3;
		pen.fillText(label, x, axisHeight / 2);
	}
	pen.fillStyle = theme.line;
	pen.fillRect(0, axisHeight - 1, width, 1);
	pen.textAlign = 'left';
	pen.fillStyle = theme.ink3;
	pen.fillText(zone === 'utc' ? 'UTC' : 'local time', 12, axisHeight / 2);
}

function paintBeads(painting: Painting, row: number, beads: readonly Bead[]): void {
	const { pen, theme, labelWidth } = painting;
	const y = middleOf(painting, row);
	for (const bead of beads) {
		const x = labelWidth + bead.x;
		const colour = colourOf(bead, theme);
		pen.strokeStyle = colour;
		pen.fillStyle = colour;
		if (bead.first !== bead.last) {
			paintCount(painting, bead, x, y);
			continue;
		}
		drawMark(pen, bead.worst.shape, x, y);
		drawFrame(pen, bead.worst.disposition, x, y);
	}
}

/** A detection in a clean file is still a detection. */
function colourOf({ worst }: Bead, theme: ChartTheme): string {
	if (worst.shape === 'detect' && badness(worst) > 1 && worst.disposition !== 'blocked') return theme.tones.bad;
	return dispositionLooks[worst.disposition].colour(theme);
}

function paintCount({ pen, theme }: Painting, bead: Bead, x: number, y: number): void {
	const count = bead.last - bead.first + 1;
	const isBad = badness(bead.worst) > 1;
	const half = countWidth(count) / 2;
	pen.beginPath();
	pen.roundRect(x - half, y - 7, half * 2, 14, isBad ? 2 : 7);
	pen.lineWidth = 1;
	const colour = pen.strokeStyle;
	if (!isBad) pen.fillStyle = theme.panel;
	pen.fill();
	pen.stroke();
	pen.fillStyle = isBad ? theme.onTone : colour;
	pen.textAlign = 'center';
	pen.font = `${isBad ? '600 ' : ''}10px ${theme.font}`;
	pen.fillText(countText(count), x, y + 0.5);
	pen.font = `11px ${theme.font}`;
}

function paintSelected(painting: Painting): void {
	const { pen, theme, layout, selected, height, isFocused } = painting;
	const place = selected === null ? undefined : layout.places.get(selected);
	const time = place === undefined ? undefined : layout.lanes[place.row]?.times[place.at];
	if (place === undefined || time === undefined) return;
	const [x, y] = [xOf(painting, time), middleOf(painting, place.row)];
	pen.fillStyle = theme.focus;
	pen.globalAlpha = 0.5;
	pen.fillRect(Math.round(x), axisHeight, 1, height);
	pen.globalAlpha = 1;
	pen.strokeStyle = theme.focus;
	pen.lineWidth = isFocused ? 2.5 : 1.5;
	pen.beginPath();
	pen.arc(x, y, 10.5, 0, 2 * Math.PI);
	pen.stroke();
}

/** A small flag above the event, so that it is found again. */
function paintMarked(painting: Painting): void {
	const { pen, theme, layout, marked = [] } = painting;
	pen.fillStyle = theme.tones.hold;
	for (const index of marked) {
		const place = layout.places.get(index);
		const time = place === undefined ? undefined : layout.lanes[place.row]?.times[place.at];
		if (place === undefined || time === undefined) continue;
		const [x, y] = [xOf(painting, time), middleOf(painting, place.row)];
		pen.fillRect(Math.round(x) - 1, y - 12, 2, 12);
		pen.beginPath();
		pen.moveTo(x + 1, y - 12);
		pen.lineTo(x + 9, y - 9);
		pen.lineTo(x + 1, y - 6);
		pen.fill();
	}
}
