import { CordonError } from '#shared/contract/errors.ts';

import type { Certificates, InstanceStore } from './types.ts';

export interface CertificatesOptions {
  /** For the authority and the server's certificate, readable by the owner only. */
  readonly folder: string;
  /** Takes the entries about changes. */
  readonly store: Pick<InstanceStore, 'note' | 'settings'>;
}

export function openCertificates(_options: CertificatesOptions): Certificates {
  const missing = async (): Promise<never> => {
    throw new CordonError('bad_certificate', 'There is no certificate yet.');
  };
  return {
    status: async () => null,
    exportAuthority: missing,
    import: missing,
    useLocal: missing,
    renew: missing,
  };
}
