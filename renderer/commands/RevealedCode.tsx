import { Banner } from '../ui/Banner.tsx';
import { CopyButton } from '../ui/CopyButton.tsx';
import styles from './RevealedCode.module.css';

/** The unlock code itself, or that there is none. It lives in the dialog that shows it and nowhere else. */
export function RevealedCode({ code }: { readonly code: string | null }) {
  if (code === null) return <Banner>The service has no unlock code for this computer.</Banner>;
  return (
    <div className={styles['box']}>
      <output className={styles['code']}>{code}</output>
      <CopyButton text={code} what="unlock code" />
    </div>
  );
}
