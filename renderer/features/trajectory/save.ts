import { csvOf } from '#shared/commands/table.ts';

import { saveBlob, saveText } from '../../ui/save.ts';
import type { Layout } from './layout.ts';
import { fileOf, partOf, type Drawn } from './merge.ts';
import { paintFile, sizeOfFile, type FilePicture } from './paint-file.ts';

const columns = [
	'time',
	'nanoseconds',
	'what',
	'disposition',
	'lane',
	'event',
	'type',
	'sha256',
	'parent',
	'detection_id',
	'id',
	'computer',
	'guid',
];

/** What is shown, as CSV, oldest first. */
export function saveTable({ hostname, lanes, parts }: Drawn, layout: Layout): void {
	const labels = new Map(lanes.map(({ id, label }) => [id, label]));
	const rows = layout.points.map((point) => {
		const { at, nanoseconds, shape, disposition, lane, text, type, sha256, parent, detectionId, id } = point;
		const facts = [
			at,
			String(nanoseconds),
			shape,
			disposition,
			labels.get(lane) ?? lane,
			text,
			type,
			sha256,
			parent === null ? null : fileOf(parent),
		];
		const computer = parts[partOf(lane)];
		return [...facts, detectionId, id, computer?.hostname, computer?.guid].map((cell) => cell ?? '');
	});
	saveText({ name: `trajectory-${hostname}.csv`, mediaType: 'text/csv', text: csvOf({ columns, rows }) });
}

/** What is shown, and how much of it is a file's: all lanes over that time, as a PNG with its title. */
export async function savePicture({ parts }: Drawn, picture: FilePicture): Promise<void> {
	const { width, height } = sizeOfFile(picture.layout);
	const canvas = new OffscreenCanvas(width * 2, height * 2);
	const pen = canvas.getContext('2d');
	if (pen === null) throw new Error('no canvas');
	pen.scale(2, 2);
	paintFile(pen, picture, parts.map(({ hostname }) => hostname).join(', '));
	saveBlob(await canvas.convertToBlob({ type: 'image/png' }), `trajectory-${parts[0]?.hostname ?? 'computer'}.png`);
}
