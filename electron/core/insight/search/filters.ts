/** The query as a typed filter of the screens. */
import {formatValue, quoteText} from '#model/filter-format.ts'
import type {Indicator} from '#model/indicator.ts'

export function eventFilterOf({kind, value}: Indicator) {
	switch (kind) {
		case 'sha256':
		case 'sha1':
		case 'md5':
			return `hash:${value}`
		case 'ip':
		case 'network':
			return `ip:${value}`
		case 'ipv6':
			return `ip:"${value}"`
		case 'guid':
			return `guid=${value}`
		case 'url':
		case 'domain':
			return `url:${quoteText(value)}`
		case 'file':
			return `file:${quoteText(value)}`
		case 'user':
			return `user:${quoteText(value)}`
		case 'mac':
		case 'name':
		case 'text':
			return wordsOf(value).map(bare).join(' ')
	}
}

/** `null` when it cannot be a computer. */
export function computerFilterOf({kind, value}: Indicator) {
	switch (kind) {
		case 'sha256':
		case 'sha1':
		case 'md5':
		case 'url':
			return null
		case 'ip':
		case 'network':
			return `ip:${value}`
		case 'ipv6':
			return `ip:"${value}"`
		case 'mac':
			return `mac:"${value}"`
		case 'guid':
			return `guid=${value}`
		case 'domain':
		case 'file':
		case 'user':
		case 'name':
		case 'text':
			return wordsOf(value).map(bare).join(' ')
	}
}

/** Words with content: a lone sign is none. */
function wordsOf(text: string) {
	return text.split(/\s+/).filter(word => /[\p{L}\p{N}]/u.test(word))
}

function bare(word: string) {
	return formatValue({kind: 'text', parts: [word]}, true)
}
