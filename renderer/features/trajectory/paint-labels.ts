/** Names of the lanes, left of the plot. */
import { showUnseenOnScreen } from '#shared/text/foreign.ts';

import type { LaneLayout } from './layout.ts';
import { dispositionLooks } from './looks.ts';
import type { Pen } from './marks.ts';
import { fileOf } from './merge.ts';
import { axisHeight, middleOf, type Painting } from './painting.ts';

export function paintLabels(painting: Painting): void {
	const { pen, theme, layout, labelWidth, height, beads } = painting;
	pen.save();
	pen.beginPath();
	pen.rect(0, axisHeight, labelWidth, height);
	pen.clip();
	for (const row of beads.keys()) {
		const lane = layout.lanes[row];
		if (lane !== undefined) paintLabel(painting, lane, middleOf(painting, row));
	}
	pen.restore();
	pen.fillStyle = theme.line;
	pen.fillRect(labelWidth - 1, 0, 1, height);
}

function paintLabel(
	{ pen, theme, layout, labelWidth }: Painting,
	{ header, lane, points }: LaneLayout,
	y: number,
): void {
	const { disposition } = lane;
	if (header !== undefined) {
		pen.textAlign = 'left';
		pen.fillStyle = theme.ink;
		pen.font = `600 12px ${theme.font}`;
		pen.fillText(fitted(pen, header.hostname, labelWidth - 20), 10, y);
		pen.font = `11px ${theme.font}`;
		return;
	}
	const isBad = disposition === 'malicious' || disposition === 'blocked';
	pen.textAlign = 'right';
	pen.fillStyle = theme.ink3;
	const count = String(points.length);
	pen.fillText(count, labelWidth - 10, y);
	const room = labelWidth - 46 - pen.measureText(count).width;
	pen.textAlign = 'left';
	pen.fillStyle = isBad || disposition === 'unknown' ? dispositionLooks[disposition].colour(theme) : theme.ink3;
	pen.fillText(laneSign(lane), 10, y);
	pen.fillStyle = isBad ? dispositionLooks[disposition].colour(theme) : theme.ink;
	pen.font = `${isBad ? '600 ' : ''}12px ${theme.font}`;
	const more = lane.names.length === 0 ? '' : ` +${lane.names.length}`;
	const several = layout.shared.has(fileOf(lane.id)) ? ' ⇄' : '';
	pen.fillText(fitted(pen, `${lane.label}${more}${several}`, room), 26, y);
	pen.font = `11px ${theme.font}`;
}

/** A sign before the name, so that colour is not alone. */
function laneSign({ disposition, keeps, id: lane }: LaneLayout['lane']): string {
	const id = fileOf(lane);
	if (id === 'network') return '◎';
	if (id === 'system') return '◇';
	if (disposition === 'malicious') return '✖';
	if (disposition === 'blocked') return '⊘';
	if (keeps) return '!';
	return disposition === 'unknown' ? '?' : '·';
}

function fitted(pen: Pen, foreign: string, room: number): string {
	const text = showUnseenOnScreen(foreign);
	if (pen.measureText(text).width <= room) return text;
	let kept = text;
	while (kept.length > 1 && pen.measureText(`${kept}…`).width > room) kept = kept.slice(0, -1);
	return `${kept}…`;
}
