/** Words of reports to moderators. */
export const report = {
  description: "What is wrong?",
  descriptionIfWanted: "What is wrong? (optional)",
  help: (sender: string) =>
    `The moderators will see this message from ${sender}, your name and what you write here. ${sender} will not be told.`,
  reason: "Reason",
  send: "Report",
  sent: "The moderators have been told. Thank you.",
  title: "Report to moderators",
};
