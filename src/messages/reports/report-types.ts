/** Reasons for which a message can be reported, as `register` tells clients. */
export const reportMessageTypes = [
  { key: "spam", name: "Spam" },
  { key: "harassment", name: "Harassment" },
  { key: "inappropriate", name: "Inappropriate content" },
  { key: "norms", name: "Against the rules of the organization" },
  { key: "other", name: "Other reason" },
];
