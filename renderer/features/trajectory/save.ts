import { csvOf } from '#shared/commands/table.ts';

import type { ChartTheme } from '../../ui/chart/theme.ts';
import { saveBlob, saveText } from '../../ui/save.ts';
import type { TimeZone } from '../../ui/time.ts';
import type { Layout, Span } from './layout.ts';
import { fileOf, partOf, type Drawn } from './merge.ts';
import { paint } from './paint.ts';
import { axisHeight, rowHeight } from './painting.ts';

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

const fileWidth = 1600;
const titleHeight = 34;
/** A canvas cannot be taller than some thousands of pixels; what does not fit is told. */
const mostLanes = 200;

/** All lanes over the time that is shown, as a PNG with its title. */
export async function savePicture(
  { parts }: Drawn,
  picture: {
    readonly layout: Layout;
    readonly span: Span;
    readonly theme: ChartTheme;
    readonly zone: TimeZone;
    readonly extent: string;
  },
): Promise<void> {
  const { layout, theme, extent } = picture;
  const height = axisHeight + Math.min(mostLanes, layout.lanes.length) * rowHeight;
  const canvas = new OffscreenCanvas(fileWidth * 2, (height + titleHeight) * 2);
  const pen = canvas.getContext('2d');
  if (pen === null) return;
  pen.scale(2, 2);
  pen.fillStyle = theme.panel;
  pen.fillRect(0, 0, fileWidth, height + titleHeight);
  pen.fillStyle = theme.ink;
  pen.textBaseline = 'middle';
  pen.font = `600 13px ${theme.font}`;
  const left = layout.lanes.length > mostLanes ? ` The first ${mostLanes} of ${layout.lanes.length} lanes.` : '';
  const names = parts.map(({ hostname }) => hostname).join(', ');
  pen.fillText(`Trajectory of ${names}. ${extent}${left}`, 12, titleHeight / 2);
  pen.translate(0, titleHeight);
  paint(pen, { ...picture, width: fileWidth, height, labelWidth: 200, top: 0, selected: null, isFocused: false });
  saveBlob(await canvas.convertToBlob({ type: 'image/png' }), `trajectory-${parts[0]?.hostname ?? 'computer'}.png`);
}
