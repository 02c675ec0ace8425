CREATE TABLE "upload_totals" (
	"realm_id" bigint NOT NULL,
	"owner_id" bigint NOT NULL,
	"bytes" bigint NOT NULL,
	CONSTRAINT "upload_totals_realm_id_owner_id_pk" PRIMARY KEY("realm_id","owner_id")
);
