/** The extensions of a certificate (RFC 5280, section 4.2); Node cannot list them. */
import {type BaseBlock, Boolean as AsnBoolean, Constructed, fromBER, Integer, ObjectIdentifier, OctetString} from 'asn1js'

export interface CertificateExtension {
	/** Object identifier, dotted. */
	readonly oid: string
	readonly critical: boolean
	/** DER. */
	readonly value: Uint8Array
}

export const oids = {
	basicConstraints: '2.5.29.19',
	keyUsage: '2.5.29.15',
	extendedKeyUsage: '2.5.29.37',
	subjectKeyId: '2.5.29.14',
	authorityKeyId: '2.5.29.35',
	certificatePolicies: '2.5.29.32',
	alternativeName: '2.5.29.17',
	nameConstraints: '2.5.29.30'
} as const

/** `null` when the bytes are not a certificate. */
export function extensionsOf(certificate: Uint8Array): readonly CertificateExtension[] | null {
	const [body] = elementsOf(certificate)
	if (body === undefined) return null
	const [list] = childrenOf(childrenOf(body).find(block => isTagged(block, 3)))
	const extensions = childrenOf(list).map(extensionOf)
	return extensions.every(extension => extension !== null) ? extensions : null
}

/** How many authorities may be between this one and a client; `null`: no limit, or no such extension. */
export function pathLength(extensions: readonly CertificateExtension[]) {
	const found = extensions.find(({oid}) => oid === oids.basicConstraints)
	const length = elementsOf(found?.value).find(block => block instanceof Integer)
	return length === undefined ? null : Number(length.toBigInt())
}

function extensionOf(block: BaseBlock): CertificateExtension | null {
	const parts = childrenOf(block)
	const oid = parts.find(part => part instanceof ObjectIdentifier)
	const value = parts.find(part => part instanceof OctetString)
	if (oid === undefined || value === undefined) return null
	const critical = parts.some(part => part instanceof AsnBoolean && part.getValue())
	return {oid: oid.getValue(), critical, value: new Uint8Array(value.getValue())}
}

/** Of the outermost sequence; none when the bytes are no DER. */
export function elementsOf(bytes: Uint8Array | undefined): readonly BaseBlock[] {
	if (bytes === undefined) return []
	const {offset, result} = fromBER(bytes)
	return offset === bytes.length ? childrenOf(result) : []
}

export function childrenOf(block: BaseBlock | undefined): readonly BaseBlock[] {
	return block instanceof Constructed ? block.valueBlock.value : []
}

/** Whether it has a tag of the context. */
export function isTagged({idBlock}: BaseBlock, tag: number) {
	return idBlock.tagClass === 3 && idBlock.tagNumber === tag
}
