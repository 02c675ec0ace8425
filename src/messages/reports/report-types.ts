/** Reasons for reporting a message, as in `register`. */
export const reportMessageTypes = [
  { key: "spam", name: "Spam" },
  { key: "harassment", name: "Harassment" },
  { key: "inappropriate", name: "Inappropriate content" },
  { key: "norms", name: "Against the rules of the organization" },
  { key: "other", name: "Other reason" },
];
