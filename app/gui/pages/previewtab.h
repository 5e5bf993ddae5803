// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/pages/documenttab.h"

#include <QPointer>

namespace trainyard
{

class PreviewPage;

// The preview of a document. It goes with its document, and is made again when asked for.
class PreviewTab final : public Page
{
    Q_OBJECT
public:
    explicit PreviewTab(DocumentTab *document);
    PreviewPage *preview() const { return m_preview; }
    void loseDocument() { m_document = nullptr; } // it is going

    // A plan is on its way from the engine.
    bool isAsked() const { return m_asked; }
    void setAsked(bool on) { m_asked = on; }

    QString title() const override;
    QIcon icon() const override;
    DocumentTab *document() override { return m_document; }

private:
    PreviewPage *m_preview;
    QPointer<DocumentTab> m_document;
    bool m_asked = false;
};

} // namespace trainyard
