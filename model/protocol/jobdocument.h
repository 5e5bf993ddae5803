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

// What is known of a text: pure, never throws, whatever the bytes. `spec` is there when enough could be read to show a
// form, even with errors; canRun() says whether it may be run.
struct ParseOutcome {
    YamlDocument document;
    std::optional<JobSpec> spec;
    QList<Diagnostic> diagnostics; // of the YAML and of the job, by position
    bool canRun() const; // a spec, and no diagnostic of severity Error
    bool strictlyValid() const; // no diagnostic marked strict
};

ParseOutcome parseJob(
    const QByteArray &bytes, CheckMode mode = CheckMode::Friendly, const CatalogueLookup &catalogue = {});

// An immutable snapshot of an edited text; an edit planned for another revision is refused by its holder.
class JobDocument
{
public:
    JobDocument() = default;
    JobDocument(const QByteArray &bytes, quint64 revision, const CatalogueLookup &catalogue = {})
        : m_outcome(parseJob(bytes, CheckMode::Friendly, catalogue)), m_revision(revision)
    {
    }
    const QByteArray &bytes() const { return m_outcome.document.bytes(); }
    const ParseOutcome &outcome() const { return m_outcome; }
    quint64 revision() const { return m_revision; }

private:
    ParseOutcome m_outcome;
    quint64 m_revision = 0;
};

// The text with the value of every secret replaced by "******" (the whole block when it is not a map). For export,
// drag, copy, the run's stored configuration. Works on the parsed tree; refuses (code "mask.unreadable") what it cannot
// read.
Result<QByteArray> maskSecrets(const QByteArray &bytes);

// What an OpenPAI server keeps of a text: its own textual mask, with its gaps (a quoted key, an indented block) and its
// greed (comments and quoted keys behind the block). To show what would be stored there, never to hide anything.
QByteArray maskSecretsAsServer(const QByteArray &bytes);

} // namespace trainyard
