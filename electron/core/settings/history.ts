/** Lines of the in-app command line, newest last. Values of secret arguments are taken out before a line is kept. */
export interface CommandHistory {
  lines(): readonly string[];
  remember(line: string): void;
}
