import styles from './KeyCap.module.css';

/** Keys as they are pressed: `Ctrl+K` is one cap, `g c` are two in a row. */
export function KeyCap({ keys }: { readonly keys: string }) {
  return (
    <span className={styles['keys']}>
      {keys.split(' ').map((key) => (
        <kbd key={key} className={styles['cap']}>
          {key.replaceAll('+', ' ').trim() || '+'}
        </kbd>
      ))}
    </span>
  );
}
