import type { ErrorReport } from '#shared/contract/errors.ts';

import { Banner, type BannerProps } from './Banner.tsx';
import { useTelling } from './Telling.tsx';

interface FailureBannerProps extends Omit<BannerProps, 'tone'> {
  /** What the banner tells of. */
  readonly error: ErrorReport | null;
}

/** Above rows of an earlier reading: why there is no newer one. The frame does not tell the same beside it. */
export function FailureBanner({ error, action, children }: FailureBannerProps) {
  const remedy = useTelling(error);
  return (
    <Banner
      tone="warning"
      action={
        <>
          {remedy?.('small')}
          {action}
        </>
      }
    >
      {children}
    </Banner>
  );
}
