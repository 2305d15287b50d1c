import { X } from 'lucide-react';
import { useRef, type ReactNode } from 'react';
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components';

import { IconButton } from './Button.tsx';
import { cx } from './cx.ts';
import styles from './Dialog.module.css';
import { FocusBack } from './FocusBack.tsx';
import { t } from './text.ts';

export interface DialogProps {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** Buttons, the one that acts last. None of them may be reached by Enter from a field of a dangerous dialog. */
  readonly footer?: ReactNode;
  readonly size?: 'small' | 'medium' | 'large';
  /** `connection` draws the edge in the connection's colour: a change of the service is about to happen. */
  readonly tone?: 'plain' | 'connection';
  readonly role?: 'dialog' | 'alertdialog';
}

/**
 * A modal dialog: focus is trapped and comes back, Escape closes, a click outside does not.
 * Mark the field that shall have the focus first with `autoFocus`; never the button that acts.
 */
export function Dialog({
  title,
  isOpen,
  onClose,
  children,
  footer,
  size = 'medium',
  tone = 'plain',
  role = 'dialog',
}: DialogProps) {
  const body = useRef<HTMLDivElement>(null);
  return (
    <ModalOverlay
      isOpen={isOpen}
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      className={styles['scrim'] ?? ''}
    >
      <Modal className={cx(styles['modal'], styles[size], styles[tone])}>
        <AriaDialog role={role} className={styles['dialog'] ?? ''}>
          <FocusBack />
          <header className={styles['header']}>
            <Heading slot="title" className={styles['title'] ?? ''}>
              {title}
            </Heading>
            <IconButton label={t.close} size="small" onPress={onClose}>
              <X size={14} />
            </IconButton>
          </header>
          <div ref={body} className={styles['body']}>
            {children}
          </div>
          {footer === undefined ? null : (
            <footer
              className={styles['footer']}
              onClickCapture={() => showWrong(body.current)}
              onKeyUpCapture={({ key }) => (key === ' ' || key === 'Enter' ? showWrong(body.current) : undefined)}
            >
              {footer}
            </footer>
          )}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}

/**
 * A button that did nothing because of a field further up would look dead: the first field that is wrong gets the focus,
 * and is scrolled into view with it. Two frames later, when the button's work is drawn.
 */
function showWrong(body: HTMLElement | null): void {
  const show = () => body?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  requestAnimationFrame(() => requestAnimationFrame(show));
}
