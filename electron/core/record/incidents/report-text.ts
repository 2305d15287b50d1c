/** Texts of others within reports: nothing in them makes a heading, a link or a picture, and nothing is hidden. */
import {showUnseen, showUnseenInLines} from '#text/foreign.ts'

/** `2026-01-31 14:02:11`. */
export function stamp(iso: string) {
	return iso.slice(0, 19).replace('T', ' ')
}

/** Marks that would make headings, links or pictures of somebody else's text are taken literally. */
export function inMarkdown(text: string) {
	return showUnseen(text.replace(/\s*[\r\n]+\s*/g, ' ')).replace(/[\\`*_{}[\]<>#|!~&]/g, '\\$&')
}

/** Lines stay lines, and a list that somebody typed stays a list; nothing underlines a heading. */
export function inMarkdownLines(text: string, indent = '') {
	return text
		.trim()
		.split(/\r?\n/)
		.map(line => {
			const [, mark = '', rest = ''] = /^(\s*(?:[-*]|\d+[.)])\s+)?\s*(.*)$/.exec(line) ?? []
			return `${mark}${inMarkdown(rest).replace(/^[-=]/, '\\$&')}`
		})
		.join(`  \n${indent}`)
}

const entities: Readonly<Record<string, string>> = {'&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;'}

export function inHtml(text: string) {
	return showUnseenInLines(text).replace(/[&<>"']/g, sign => entities[sign] ?? '')
}
