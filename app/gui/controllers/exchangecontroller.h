// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QUrl>

class QDropEvent;
class QMimeData;

namespace trainyard
{

class ActionRegistry;
class DropMark;
class FileController;
class Importer;
class TargetBox;
class Workbench;

// The exchange of the window with other programs: drops, drags, the clipboard, addresses.
class ExchangeController : public QObject
{
    Q_OBJECT
public:
    // Adds the actions "newFromClipboard", "copyYaml", "copyYamlWithSecrets" and "copyRunCommand". `mark` lies over the
    // pages while something is dragged that may be dropped.
    ExchangeController(
        Workbench *workbench, ActionRegistry *actions, FileController *files, TargetBox *target, DropMark *mark);
    ~ExchangeController() override;

    Importer *importer() const { return m_importer; }
    static void copyToClipboard(const QByteArray &yaml);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override; // of the program: drops anywhere in the window

private:
    void makeActions(ActionRegistry *actions);
    void enableActions(ActionRegistry *actions) const;
    void followImporter();
    void showProgress(const QUrl &url, qint64 received, qint64 total, int waiting);
    void newFromClipboard();
    void takeContent(const QMimeData *mime); // files, addresses or a text: what a drop or a paste brings
    bool takeDrag(QDropEvent *event, bool isOver);
    void copyYaml(bool withSecrets);
    void copyRunCommand();

    Workbench *m_workbench;
    FileController *m_files;
    TargetBox *m_target;
    DropMark *m_mark;
    Importer *m_importer;
};

} // namespace trainyard
