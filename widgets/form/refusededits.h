// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/diagnostic.h"
#include "model/base/result.h"
#include "model/yaml/yamldocument.h"
#include "model/yaml/yamlpath.h"

#include <QList>
#include <QVariant>

#include <optional>

namespace trainyard
{

// Edits of form fields that the document did not take, by the path of the field. Each is kept until it is removed or
// the value there is another one, or what it belongs to has gone.
class RefusedEdits
{
public:
    // `typed`: what the field shows; none for a field whose text is hidden.
    void add(const YamlPath &path, const Error &why, const QVariant &typed, const YamlDocument &document);
    bool remove(const YamlPath &path); // whether there was one
    void clear() { m_all.clear(); }
    void review(const YamlDocument &document); // drops those whose value has changed, or whose role has gone
    QVariant typed(const YamlPath &path) const; // invalid: nothing
    QList<Diagnostic> diagnostics() const; // to be shown at their fields

private:
    struct One {
        YamlPath path;
        Error why;
        QVariant typed;
        std::optional<QByteArray> value; // as the document had it
        qsizetype depth = 0; // elements of the path that were there
    };
    QList<One> m_all;
};

} // namespace trainyard
