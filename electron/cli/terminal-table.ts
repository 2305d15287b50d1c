/** A terminal table: as wide as needed, limited to the terminal. */
import type {ResultTable} from '#shared/commands/table.ts'
import {showUnseen} from '#text/foreign.ts'

const gap = 2
/** Less than this of a word says nothing. */
const narrowest = 9

/** `width` in terminal columns; `null`: unlimited. Where the columns do not fit beside each other, each row is a record. */
export function tableText({columns, rows}: ResultTable, width: number | null) {
	const table = {columns, rows: rows.map(row => row.map(showUnseen))}
	const natural = columns.map((title, index) => table.rows.reduce((widest, row) => Math.max(widest, widthOf(row[index] ?? '')), widthOf(title)))
	const least = natural.reduce((sum, each) => sum + Math.min(each, narrowest) + gap, -gap)
	if (width !== null && least > width) return rows.map(row => recordText({columns, rows: [row]}, width)).join('\n\n')
	const widths = width === null ? natural : fitted(natural, width - gap * (natural.length - 1))
	return [table.columns, ...table.rows]
		.map(row =>
			row
				.map((text, index) => padded(text, widths[index] ?? 0))
				.join(' '.repeat(gap))
				.trimEnd()
		)
		.join('\n')
}

/** One record, one line per column. */
export function recordText(table: ResultTable, width: number | null) {
	const row = (table.rows[0] ?? []).map(showUnseen)
	const titles = Math.max(...table.columns.map(widthOf))
	const room = width === null ? Infinity : Math.max(narrowest, width - titles - gap)
	return table.columns.map((title, index) => `${padded(title, titles)}${' '.repeat(gap)}${cut(row[index] ?? '', room)}`.trimEnd()).join('\n')
}

/** A time as the log has it: UTC, in whole seconds. */
export function seconds(iso: string) {
	return `${iso.slice(0, 19)}Z`
}

/** Shrinks the widest columns until the table fits. */
function fitted(widths: readonly number[], room: number) {
	const result = [...widths]
	let over = result.reduce((sum, each) => sum + each, 0) - room
	while (over > 0) {
		const widest = Math.max(...result)
		if (widest <= narrowest) return result
		const next = Math.max(narrowest, ...result.filter(each => each < widest))
		const count = result.filter(each => each === widest).length
		const step = Math.max(1, Math.min(widest - next, Math.ceil(over / count)))
		for (const [index, each] of result.entries()) if (each === widest) result[index] = each - step
		over -= step * count
	}
	return result
}

function padded(text: string, width: number) {
	const shown = cut(text, width)
	return shown + ' '.repeat(Math.max(0, width - widthOf(shown)))
}

/** As many columns of a text as fit. */
export function cut(text: string, width: number) {
	if (widthOf(text) <= width) return text
	let used = 0
	let kept = ''
	for (const [sign] of text.matchAll(signs)) {
		used += signWidth(sign)
		if (used > width - 1) break
		kept += sign
	}
	return `${kept}…`
}

const plain = /^[ -~]*$/

function widthOf(text: string) {
	return plain.test(text) ? text.length : signsOf(text).reduce((sum, sign) => sum + signWidth(sign), 0)
}

/** Characters; a flag is one, and an emoji with its skin tone. */
const signs = /\p{RI}{2}|\p{Emoji_Modifier_Base}\p{Emoji_Modifier}|[^]/gu

export function signsOf(text: string): readonly string[] {
	return text.match(signs) ?? []
}

const wide =
	/[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u
const invisible = /[\p{Mn}\p{Me}\p{Cf}]/u

/** East Asian characters and emoji take two columns, combining marks none. */
function signWidth(sign: string) {
	if (sign <= '~') return 1
	if (invisible.test(sign)) return 0
	return wide.test(sign) ? 2 : 1
}
