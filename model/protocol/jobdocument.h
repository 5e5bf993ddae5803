// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/protocol/catalogue.h"
#include "model/protocol/jobspec.h"
#include "model/yaml/yamldocument.h"

#include <optional>

namespace trainyard
{

enum class CheckMode {
    Friendly, // what Trainyard runs; portability problems are warnings
    Strict // the verdict of an OpenPAI server: what it refuses is an error
};

// The result of reading a text. It is pure and never throws, whatever the bytes are. `spec` is present if enough could
// be read to show a form, even with errors; canRun() says whether it may be run.
struct ParseOutcome {
    YamlDocument document;
    std::optional<JobSpec> spec;
    QList<Diagnostic> diagnostics; // of the YAML and of the job, by position
    bool canRun() const; // a spec, and no diagnostic of severity Error
};

ParseOutcome parseJob(
    const QByteArray &bytes, CheckMode mode = CheckMode::Friendly, const CatalogueLookup &catalogue = {});
// The same for a text that is parsed already.
ParseOutcome readJob(
    const YamlDocument &document, CheckMode mode = CheckMode::Friendly, const CatalogueLookup &catalogue = {});

// An immutable snapshot of an edited text; an edit planned for another revision is refused by its holder.
class JobDocument
{
public:
    JobDocument() = default;
    JobDocument(const YamlDocument &document, quint64 revision, const CatalogueLookup &catalogue = {})
        : m_outcome(readJob(document, CheckMode::Friendly, catalogue)), m_revision(revision)
    {
    }
    const QByteArray &bytes() const { return m_outcome.document.bytes(); }
    const ParseOutcome &outcome() const { return m_outcome; }
    quint64 revision() const { return m_revision; }

private:
    ParseOutcome m_outcome;
    quint64 m_revision = 0;
};

// The text with the value of every secret and every password of a registry login replaced by "******" (or the whole
// block of secrets when it is not a map), for export, drag, copy and the stored configuration of a run. It works on the
// parsed tree, and refuses a text that it cannot read with the code "mask.unreadable".
Result<QByteArray> maskSecrets(const QByteArray &bytes);
TextEdits secretMasks(const YamlDocument &document); // what it changes

// The value of a secret, or the password of a registry login, in the text itself.
struct SecretValue {
    QString name; // of the secret; empty where 'secrets' is one value, and for the password of a login
    TextEdit mask; // where the value is, and what takes it out
};
// Those of the readable part of a text, by position. Empty values do not count as secrets.
QList<SecretValue> secretValuesIn(const YamlDocument &document);

// The text that an OpenPAI server stores. Its mask works on the text: it misses some values (a quoted key, an indented
// block) and removes too much elsewhere (comments and quoted keys after the block). It is used to show what would be
// stored there, and never to hide anything.
QByteArray maskSecretsAsServer(const QByteArray &bytes);

} // namespace trainyard
