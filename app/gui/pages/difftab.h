// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/pages/documenttab.h"

#include <QPointer>

namespace trainyard
{

class DiffPage;

// The comparison of a document. It goes with its document, and is made again when asked for.
class DiffTab final : public Page
{
    Q_OBJECT
public:
    explicit DiffTab(DocumentTab *compared);
    DiffPage *diff() const { return m_diff; }
    DocumentTab *compared() const { return m_compared; } // null when it is gone

    QString title() const override;
    QIcon icon() const override;

private:
    DiffPage *m_diff;
    QPointer<DocumentTab> m_compared;
};

} // namespace trainyard
