/** Shapes on a canvas: the shape is the kind of event; colour and frame are the file's disposition. */
import type {TrajectoryPoint} from '#contract/insight.ts'
import type {Disposition} from '#model/choices.ts'

type Shape = TrajectoryPoint['shape']
export type Pen = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D

/** Draws around the centre (x, y) in the pen's colours; about 10 pixels wide. */
export function drawMark(pen: Pen, shape: Shape, x: number, y: number) {
	pen.lineWidth = 1.75
	pen.beginPath()
	outlines[shape](pen, x, y)
	if (filled.has(shape)) pen.fill()
	else pen.stroke()
	if (shape === 'network') dot(pen, x, y, 1.6)
	if (shape === 'quarantine') pen.fillRect(x - 2, y - 2, 4, 4)
}

const filled: ReadonlySet<Shape> = new Set(['execute'])

const outlines: Readonly<Record<Shape, (pen: Pen, x: number, y: number) => void>> = {
	create: (pen, x, y) => lines(pen, [x - 4.5, y, x + 4.5, y], [x, y - 4.5, x, y + 4.5]),
	execute: (pen, x, y) => {
		pen.moveTo(x - 3.5, y - 5)
		pen.lineTo(x + 5, y)
		pen.lineTo(x - 3.5, y + 5)
		pen.closePath()
	},
	move: (pen, x, y) => lines(pen, [x - 5, y, x + 5, y], [x + 1, y - 4, x + 5, y], [x + 1, y + 4, x + 5, y]),
	open: (pen, x, y) => pen.arc(x, y, 4, 0, 2 * Math.PI),
	network: (pen, x, y) => pen.arc(x, y, 4.5, 0, 2 * Math.PI),
	detect: (pen, x, y) => lines(pen, [x - 4, y - 4, x + 4, y + 4], [x + 4, y - 4, x - 4, y + 4]),
	quarantine: (pen, x, y) => pen.rect(x - 4.5, y - 4.5, 9, 9),
	fail: (pen, x, y) => {
		pen.rect(x - 4.5, y - 4.5, 9, 9)
		lines(pen, [x - 4.5, y + 4.5, x + 4.5, y - 4.5])
	},
	system: (pen, x, y) => {
		pen.moveTo(x, y - 5)
		pen.lineTo(x + 5, y)
		pen.lineTo(x, y + 5)
		pen.lineTo(x - 5, y)
		pen.closePath()
	}
}

/** Malicious: a full ring. Blocked: a broken ring. Unknown: a line below. Others have none. */
export function drawFrame(pen: Pen, disposition: Disposition, x: number, y: number) {
	pen.lineWidth = 1
	pen.beginPath()
	if (disposition === 'unknown') lines(pen, [x - 4, y + 7.5, x + 4, y + 7.5])
	else if (disposition === 'malicious' || disposition === 'blocked') pen.arc(x, y, 8, 0, 2 * Math.PI)
	else return
	pen.setLineDash(disposition === 'blocked' ? [3, 2.5] : [])
	pen.stroke()
	pen.setLineDash([])
}

function lines(pen: Pen, ...each: readonly (readonly [number, number, number, number])[]) {
	for (const [x1, y1, x2, y2] of each) {
		pen.moveTo(x1, y1)
		pen.lineTo(x2, y2)
	}
}

function dot(pen: Pen, x: number, y: number, radius: number) {
	pen.beginPath()
	pen.arc(x, y, radius, 0, 2 * Math.PI)
	pen.fill()
}
