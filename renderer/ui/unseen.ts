import styles from './unseen.module.css'

/** Class of what is there for screen readers, or for the keyboard alone. */
export const unseen = styles['unseen']
