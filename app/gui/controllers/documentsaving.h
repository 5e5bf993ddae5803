// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"

#include <QObject>

#include <functional>

namespace trainyard
{

class DocumentTab;
class Secrets;
class SecretSaving;
class Workbench;

// Saves documents in their files or in others, and says in the bar of a document why it could not be saved.
class DocumentSaving : public QObject
{
    Q_OBJECT
public:
    // `openAt`: the open document of a file, or null.
    using OpenAt = std::function<DocumentTab *(const QString &path)>;
    DocumentSaving(Workbench *workbench, Secrets *secrets, const OpenAt &openAt, QObject *parent);
    // `as`: the user names the file. `then` is called once it is saved.
    void save(DocumentTab *tab, bool as, const std::function<void()> &then = {});

Q_SIGNALS:
    void placed(const QString &folder); // a document has a file there now
    void saved(const QString &path);

private:
    void saveAs(DocumentTab *tab, const QString &path, const std::function<void(const Result<void> &)> &done);

    Workbench *m_workbench;
    SecretSaving *m_secretSaving;
    OpenAt m_openAt;
};

} // namespace trainyard
