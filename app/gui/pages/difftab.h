// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/workbench/page.h"

#include <QPointer>

#include <optional>
#include <utility>

namespace trainyard
{

class DiffPage;
class DocumentFile;

// The comparison of a document or a run. It goes with that page, and comes back with it.
class DiffTab final : public Page
{
    Q_OBJECT
public:
    static constexpr QLatin1StringView kind{"compare"};
    explicit DiffTab(Page *compared);
    DiffPage *diff() const { return m_diff; }
    Page *compared() const { return m_compared; } // null when it is gone
    DocumentFile *comparedFile() const { return m_file; } // that it is compared with, as long as that is a file

    // The contents of that file, while it can be read.
    void setSaved(const std::optional<QByteArray> &bytes) { m_saved = bytes; }
    const std::optional<QByteArray> &saved() const { return m_saved; }

    // The source that was chosen when the window closed, until it is known again.
    void setAwaited(const QString &source) { m_awaited = source; }
    const QString &awaited() const { return m_awaited; }
    QString takeAwaited() { return std::exchange(m_awaited, QString()); }

    QString title() const override;
    QIcon icon() const override;
    std::optional<SessionTab> place() const override;

private:
    DiffPage *m_diff;
    QPointer<Page> m_compared;
    DocumentFile *m_file;
    std::optional<QByteArray> m_saved;
    QString m_awaited;
};

} // namespace trainyard
