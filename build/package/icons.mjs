/** The icons of the three systems, all drawn from `icon.svg`. */
import {readFileSync} from 'node:fs'

import {initWasm, Resvg} from '@resvg/resvg-wasm'

import {at} from '../lib/paths.mjs'

export const linuxSizes = [16, 24, 32, 48, 64, 128, 256, 512]
const icoSizes = [16, 24, 32, 48, 64, 128, 256]
/** Apple's names by width; a width stands twice where it also serves a smaller size on dense displays. */
const icnsTypes = {ic11: 32, ic12: 64, ic07: 128, ic13: 256, ic08: 256, ic14: 512, ic09: 512, ic10: 1024}

/** PNG by width, and the files for Windows and macOS. */
export async function drawIcons() {
	await initWasm(readFileSync(at('node_modules', '@resvg', 'resvg-wasm', 'index_bg.wasm')))
	const svg = readFileSync(at('build', 'package', 'icon.svg'), 'utf8')
	const draw = width => Buffer.from(new Resvg(svg, {fitTo: {mode: 'width', value: width}}).render().asPng())
	const widths = [...new Set([...linuxSizes, ...icoSizes, ...Object.values(icnsTypes)])]
	const png = Object.fromEntries(widths.map(width => [width, draw(width)]))
	return {svg, png, ico: icoOf(icoSizes.map(width => [width, png[width]])), icns: icnsOf(png)}
}

/** A Windows icon: a directory of PNGs. */
function icoOf(pictures) {
	const head = Buffer.alloc(6 + 16 * pictures.length)
	head.writeUInt16LE(1, 2)
	head.writeUInt16LE(pictures.length, 4)
	let offset = head.length
	for (const [index, [width, picture]] of pictures.entries()) {
		const entry = 6 + 16 * index
		// One byte holds the width, and 256 is written as 0.
		head.set([width % 256, width % 256], entry)
		head.writeUInt16LE(1, entry + 4)
		head.writeUInt16LE(32, entry + 6)
		head.writeUInt32LE(picture.length, entry + 8)
		head.writeUInt32LE(offset, entry + 12)
		offset += picture.length
	}
	return Buffer.concat([head, ...pictures.map(([, picture]) => picture)])
}

/** A macOS icon: blocks of name, length and PNG. */
function icnsOf(png) {
	const blocks = Object.entries(icnsTypes).map(([type, width]) => block(type, png[width]))
	return block('icns', Buffer.concat(blocks))
}

function block(type, content) {
	const head = Buffer.alloc(8)
	head.write(type, 'latin1')
	head.writeUInt32BE(content.length + 8, 4)
	return Buffer.concat([head, content])
}
