/** The part of DER (X.690) needed to read the extensions of a certificate; Node cannot list them. */

export interface CertificateExtension {
	/** The object identifier's bytes, hex. */
	readonly oid: string
	readonly critical: boolean
	readonly value: Buffer
}

export interface Element {
	readonly tag: number
	readonly content: Buffer
}

export const oids = {
	basicConstraints: '551d13',
	keyUsage: '551d0f',
	extendedKeyUsage: '551d25',
	subjectKeyId: '551d0e',
	authorityKeyId: '551d23',
	certificatePolicies: '551d20',
	alternativeName: '551d11',
	nameConstraints: '551d1e',
} as const

const context3 = 0xa3
const boolean = 0x01
const integer = 0x02

/** `null` when the bytes are not a certificate. */
export function extensionsOf(certificate: Buffer): readonly CertificateExtension[] | null {
	const [body] = childrenAt(certificate, [0, 0]) ?? []
	const wrapped = body?.find(({tag}) => tag === context3)
	if (body === undefined) return null
	if (wrapped === undefined) return []
	const list = elementsOf(elementsOf(wrapped.content)?.[0]?.content ?? Buffer.alloc(0))
	if (list === null) return null
	const extensions = list.map(element => extensionOf(element.content))
	return extensions.every(extension => extension !== null) ? extensions : null
}

/** How many authorities may be between this one and a client; `null`: no limit, or no such extension. */
export function pathLength(extensions: readonly CertificateExtension[]): number | null {
	const found = extensions.find(({oid}) => oid === oids.basicConstraints)
	const parts = found === undefined ? null : elementsOf(elementsOf(found.value)?.[0]?.content ?? Buffer.alloc(0))
	const length = parts?.find(({tag}) => tag === integer)
	return length === undefined ? null : length.content.readUIntBE(0, Math.min(6, length.content.length))
}

function extensionOf(content: Buffer): CertificateExtension | null {
	const parts = elementsOf(content)
	const [oid, second] = parts ?? []
	const value = parts?.at(-1)
	if (oid === undefined || second === undefined || value === undefined) return null
	const critical = second.tag === boolean && second.content[0] === 0xff
	return {oid: oid.content.toString('hex'), critical, value: value.content}
}

/** The elements inside the one at a path of positions. */
function childrenAt(bytes: Buffer, path: readonly number[]): readonly [readonly Element[]] | null {
	let level = elementsOf(bytes)
	for (const position of path) {
		const element = level?.[position]
		if (element === undefined) return null
		level = elementsOf(element.content)
	}
	return level === null ? null : [level]
}

/** Consecutive elements, or `null` when they do not fill the bytes exactly. */
export function elementsOf(bytes: Buffer): readonly Element[] | null {
	const elements: Element[] = []
	let at = 0
	while (at < bytes.length) {
		const tag = bytes[at] ?? 0
		const header = lengthAt(bytes, at + 1)
		if (header === null || header.end + header.length > bytes.length) return null
		elements.push({tag, content: bytes.subarray(header.end, header.end + header.length)})
		at = header.end + header.length
	}
	return elements
}

function lengthAt(bytes: Buffer, at: number): {readonly length: number; readonly end: number} | null {
	const first = bytes[at]
	if (first === undefined) return null
	if (first < 0x80) return {length: first, end: at + 1}
	const size = first & 0x7f
	if (size === 0 || size > 4 || at + 1 + size > bytes.length) return null
	return {length: bytes.readUIntBE(at + 1, size), end: at + 1 + size}
}
