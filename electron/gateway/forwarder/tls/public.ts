import {X509Certificate} from 'node:crypto'
import tls from 'node:tls'

import {pemBlocks, readCertificate} from './pem.ts'

/** Whether a public authority known to Node issued the chain's last certificate. About 20 ms. */
export function isPublicChain(chain: readonly X509Certificate[]) {
	const last = chain.at(-1)
	if (last === undefined) return false
	return tls.rootCertificates.some(text => {
		const root = new X509Certificate(text)
		return root.raw.equals(last.raw) || (last.checkIssued(root) && last.verify(root.publicKey))
	})
}

/** The same for PEM; an unreadable chain is not public. */
export function isPublicPem(text: string) {
	const blocks = pemBlocks(text).filter(({label}) => label === 'CERTIFICATE')
	const chain = blocks.map(block => readCertificate(block.text)).filter(found => found !== null)
	return chain.length === blocks.length && isPublicChain(chain)
}
