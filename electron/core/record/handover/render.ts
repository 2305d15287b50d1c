/** A hand-over as text to paste into a ticket, and as a page to print. Neither holds anything that runs. */
import {handoverParts, handoverWords, type Handover, type HandoverLine, type HandoverPart} from '#model/handover.ts'

import {inHtml, inMarkdown, inMarkdownLines, stamp} from '../incidents/report-text.ts'

/** `next`: what is to be done, in the words of whoever hands over. */
export function handoverMarkdown(handover: Handover, next: string) {
	const parts = handoverParts.map(part => {
		const [title, none] = handoverWords[part]
		const lines = handover.parts[part].map(line => `- ${timeOf(part, line)}${inMarkdownLines(line.text, '  ')}`)
		return `## ${title}\n\n${lines.length === 0 ? none : lines.join('\n')}${cutText(handover, part)}\n`
	})
	const steps = next.trim() === '' ? 'None were written down.' : inMarkdownLines(next)
	return `# ${inMarkdown(titleOf(handover))}\n\n${inMarkdown(headOf(handover))}\n\n## Next steps\n\n${steps}\n\n${parts.join('\n')}`
}

const style =
	'body{font:15px/1.5 system-ui,sans-serif;max-width:52rem;margin:2rem auto;padding:0 1rem;color:#14181f;overflow-wrap:anywhere}' +
	'h2{font-size:1.05rem;margin:1.2rem 0 .3rem}ul{margin:.2rem 0;padding-left:1.2rem}li{white-space:pre-line}' +
	'time{color:#4a5464;font-variant-numeric:tabular-nums}.none{color:#4a5464}pre{white-space:pre-wrap;font:inherit}'

export function handoverHtml(handover: Handover, next: string) {
	const title = inHtml(titleOf(handover))
	const parts = handoverParts.map(part => {
		const [heading, none] = handoverWords[part]
		const lines = handover.parts[part].map(
			line => `<li>${line.at === null ? '' : `<time datetime="${inHtml(line.at)}">${timeOf(part, line)}</time>`}${inHtml(line.text)}</li>`
		)
		const body = lines.length === 0 ? `<p class="none">${none}</p>` : `<ul>${lines.join('')}</ul>`
		return `<h2>${heading}</h2>${body}${cutText(handover, part)}`
	})
	return (
		'<!doctype html>\n<html lang="en"><head><meta charset="utf-8">' +
		`<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">` +
		`<title>${title}</title><style>${style}</style></head><body>\n<h1>${title}</h1><p>${inHtml(headOf(handover))}</p>` +
		`<h2>Next steps</h2>${next.trim() === '' ? '<p class="none">None were written down.</p>' : `<pre>${inHtml(next.trim())}</pre>`}` +
		`${parts.join('\n')}</body></html>\n`
	)
}

function titleOf({incident, connection}: Handover) {
	return incident === null ? `Shift handover of ${connection}` : `Shift handover of ${connection}: ${incident}`
}

function headOf({at, by, since}: Handover) {
	return `By ${by}, ${stamp(at)}. Of the shift since ${stamp(since)}. Times are UTC.`
}

function timeOf(part: HandoverPart, {at}: HandoverLine) {
	if (at === null) return ''
	return `${part === 'leases' ? 'until ' : ''}${stamp(at)} `
}

function cutText({cut}: Handover, part: HandoverPart) {
	const all = cut[part]
	return all === undefined ? '' : `\nThese are the ${part === 'notes' ? 'last' : 'first'} of ${all}.`
}
