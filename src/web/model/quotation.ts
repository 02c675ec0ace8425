/** Facts of a message that is quoted. */
interface Quoted {
  readonly senderName: string;
  readonly senderId: number;
  /** The address of the message. */
  readonly link: string;
  /** The text of the message, as it was written. */
  readonly text: string;
  /** The word between the name and the quotation. */
  readonly said: string;
}

const fencePattern = /^ {0,3}(`{3,})/gm;

/**
 * A message, quoted in Markdown. It names its sender without notifying them. The fence is longer
 * than every fence in the text, because otherwise the quotation would end there.
 */
export function quotationOf({ senderName, senderId, link, text, said }: Quoted): string {
  const longest = Math.max(
    2,
    ...[...text.matchAll(fencePattern)].map(([, ticks = ""]) => ticks.length),
  );
  const fence = "`".repeat(longest + 1);
  return `@_**${senderName}|${senderId}** [${said}](${link}):\n${fence}quote\n${text}\n${fence}\n\n`;
}
